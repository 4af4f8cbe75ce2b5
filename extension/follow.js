// Tells touchgrid-follow, which the browser runs, the address and title of the page that is shown. Pages notice nothing.

const HOST = "io.touchgrid.follow";
const LONGEST_DELAY = 5000;

let port = null;
let delay = 100;
// The tab that is shown; null: not known.
let shown = null;

function connect() {
  if (port) return;
  port = chrome.runtime.connectNative(HOST);
  const since = Date.now();
  port.onDisconnect.addListener(() => {
    // Read, so that nobody complains that it was not.
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
  // Names are short: what is longer than this is of no use to anybody.
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
  // Its title is that of the page before.
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
// Where the browser has put this script to sleep, because there was nobody to tell.
chrome.alarms.create({periodInMinutes: 0.5});
chrome.alarms.onAlarm.addListener(connect);
connect();
