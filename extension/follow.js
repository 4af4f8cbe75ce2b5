// Sends the address and title of the page that is shown to touchgrid-follow, which the browser
// starts. Pages cannot notice it.

const HOST = "io.touchgrid.follow";
const LONGEST_DELAY = 5000;

let port = null;
let delay = 100;
// The ID of the tab that is shown; null if it is not known.
let shown = null;

function connect() {
  if (port) return;
  port = chrome.runtime.connectNative(HOST);
  const since = Date.now();
  port.onDisconnect.addListener(() => {
    // Reads the error, because the browser logs an error that was not read.
    void chrome.runtime.lastError;
    port = null;
    if (Date.now() - since > 2 * LONGEST_DELAY) delay = 100;
    setTimeout(connect, delay);
    delay = Math.min(2 * delay, LONGEST_DELAY);
  });
  look();
}

function tell(url, title, atMs) {
  if (!port) connect();
  // Names are short, so the rest of a longer text is of no use.
  port.postMessage({url: url?.slice(0, 8192), title: title?.slice(0, 1024), atMs});
}

async function look() {
  const atMs = Date.now();
  let [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
  if (!tab) [tab] = await chrome.tabs.query({active: true});
  shown = tab ? tab.id : null;
  tell(tab ? tab.url || tab.pendingUrl : undefined, tab?.title, atMs);
}

function navigated(details) {
  if (details.frameId !== 0 || details.documentLifecycle === "prerender") return;
  if (shown === null) look();
  // The tab still has the title of the previous page, so none is sent.
  else if (details.tabId === shown) tell(details.url, "", details.timeStamp);
}

chrome.webNavigation.onCommitted.addListener(navigated);
chrome.webNavigation.onHistoryStateUpdated.addListener(navigated);
chrome.webNavigation.onReferenceFragmentUpdated.addListener(navigated);
chrome.tabs.onActivated.addListener(look);
chrome.tabs.onRemoved.addListener((tab) => { if (tab === shown) look(); });
chrome.tabs.onReplaced.addListener(look);
chrome.tabs.onUpdated.addListener((id, change, tab) => {
  if (id === shown && change.title !== undefined) tell(tab.url, change.title, Date.now());
});
chrome.windows.onFocusChanged.addListener((id) => {
  if (id !== chrome.windows.WINDOW_ID_NONE) look();
});
// The browser suspends this script while there is no connection. The alarm wakes it up,
// so that it connects again.
chrome.alarms.create({periodInMinutes: 0.5});
chrome.alarms.onAlarm.addListener(connect);
connect();
