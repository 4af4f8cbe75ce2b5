// Sends the address and title of the page that is shown to touchgrid-follow, which the browser
// starts. Pages cannot notice it. In extension-controls it also runs scripts in that page and
// passes on what they tell, if touchgrid-follow asks for it.

const HOST = "io.touchgrid.follow";
const LONGEST_DELAY = 5000;
// The maximum length of a text that a page's script tells, and the number of texts that wait.
const LONGEST_TEXT = 100000;
const MOST_TEXTS = 8;

let port = null;
let delay = 100;
// The ID of the tab that is shown; null if it is not known.
let shown = null;
// Whether touchgrid-follow wants what scripts in pages tell.
let wantsTold = false;
// The texts that the page told and that are not sent yet, and whether touchgrid-follow has not
// taken the last one yet. It takes one at a time, so no name waits behind more than one.
let texts = [];
let isBusy = false;

function connect() {
  if (port) return;
  port = chrome.runtime.connectNative(HOST);
  const since = Date.now();
  port.onMessage.addListener(heard);
  port.onDisconnect.addListener(() => {
    // Reads the error, because the browser logs an error that was not read.
    void chrome.runtime.lastError;
    port = null;
    want(false);
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
  lookIntoPage();
}

function navigated(details) {
  if (details.frameId !== 0 || details.documentLifecycle === "prerender") return;
  if (shown === null) look();
  // The tab still has the title of the previous page, so none is sent.
  else if (details.tabId === shown) tell(details.url, "", details.timeStamp);
}

function committed(details) {
  navigated(details);
  if (details.frameId === 0 && details.tabId === shown) lookIntoPage();
}

function heard(message) {
  if (message.controls !== undefined) {
    want(message.controls);
    startLooking();
  }
  if (message.taken) {
    isBusy = false;
    sendText();
  }
}

function want(isWanted) {
  wantsTold = isWanted;
  texts = [];
  isBusy = false;
}

async function startLooking() {
  if (!wantsTold) return;
  const origins = chrome.runtime.getManifest().host_permissions;
  // Firefox lets its user withdraw the permission.
  if (!origins || !await chrome.permissions.contains({origins})) port?.postMessage({refused: true});
  else lookIntoPage();
}

// Runs the scripts in the page that is shown, or makes those that run in it already tell again.
async function lookIntoPage() {
  texts = [];
  if (!wantsTold || shown === null || !chrome.scripting) return;
  try {
    await chrome.scripting.executeScript(
      {target: {tabId: shown}, files: ["controls.js", "page.js"], injectImmediately: true});
  } catch {
    // The browser's own pages have no controls.
  }
}

function told(text, sender) {
  if (!wantsTold || typeof text !== "string") return;
  if (sender.tab?.id !== shown || sender.frameId !== 0) return;
  // An empty text withdraws what the page told before.
  texts.push(text.length > LONGEST_TEXT ? "" : text);
  if (texts.length > MOST_TEXTS) texts.shift();
  sendText();
}

function sendText() {
  if (isBusy || texts.length === 0) return;
  isBusy = true;
  port.postMessage({told: texts.shift()});
}

chrome.webNavigation.onCommitted.addListener(committed);
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
chrome.runtime.onMessage.addListener(told);
// The browser suspends this script while there is no connection. The alarm wakes it up,
// so that it connects again.
chrome.alarms.create({periodInMinutes: 0.5});
chrome.alarms.onAlarm.addListener(connect);
connect();
