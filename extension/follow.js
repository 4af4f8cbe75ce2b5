// Sends the address and title of the shown page to touchgrid-follow, which the browser starts.
// Pages cannot notice it. In extension-controls it also runs scripts in that page and forwards
// their reports, if touchgrid-follow requests it.

const HOST = "io.touchgrid.follow";
const LONGEST_DELAY = 5000;
// The maximum length of a text from a page's script, and the number of waiting texts.
const LONGEST_TEXT = 100000;
const MOST_TEXTS = 8;
// The maximum length of the address of the shown page, before its fragment and in it; that of other
// pages, and their number.
const LONGEST_ADDRESS = 8192;
const LONGEST_OTHER = 1024;
const MOST_OTHERS = 16;
// Addresses that name a page. Pages with other addresses may need the page behind them.
const ADDRESS = /^(https?|file):/i;

// The errors of pages that the user left before they were loaded, in Chromium and Firefox. The
// previous page stays.
const ABORTED = ["net::ERR_ABORTED", "Error code 2152398850"];

let port = null;
let delay = 100;
// The ID of the shown tab; null if unknown.
let shown = null;
// The last page with an address that was reported; null if there was none since this script
// started. In that case `others` has the pages of all tabs.
let last = null;
let others = [];
// Whether the page was examined that was shown when this script started.
let hasLooked = false;
// For each tab with an error page, the address that could not be loaded.
const failed = new Map();
// For each tab, the address for which Firefox will show an error page.
const failing = new Map();
// The page that opened each tab.
const openers = new Map();
// Whether touchgrid-follow requests the reports of scripts in pages.
let wantsTold = false;
// The texts of the page to be sent, and whether touchgrid-follow has not yet accepted the last one.
// It accepts one at a time, so a name waits behind one text at most.
let texts = [];
let isBusy = false;

function connect() {
  if (port) return;
  port = chrome.runtime.connectNative(HOST);
  const since = Date.now();
  port.onMessage.addListener(heard);
  port.onDisconnect.addListener(() => {
    // Read the error, because the browser logs unread errors.
    void chrome.runtime.lastError;
    port = null;
    want(false);
    if (Date.now() - since > 2 * LONGEST_DELAY) delay = 100;
    setTimeout(connect, delay);
    delay = Math.min(2 * delay, LONGEST_DELAY);
  });
  look();
}

// Returns an address without most of a long path or query string. The fragment stays, for it may
// name the page.
function shortened(url, length = LONGEST_ADDRESS) {
  if (!url || url.length <= length) return url;
  const [before, fragment] = url.split(/#(.*)/s);
  return before.slice(0, length) + (fragment ? "#" + fragment.slice(0, length) : "");
}

// Returns the properties that a page is named by.
function page(tab, length) {
  return {url: shortened(tab.url, length), title: tab.title?.slice(0, length)};
}

function tell(url, title, atMs, tab = shown) {
  if (!port) connect();
  // Names are short, so the rest of a long text is useless.
  const message = {url: shortened(url), title: title?.slice(0, 1024), atMs};
  if (url && failed.get(tab) === url) message.failed = true;
  if (url && ADDRESS.test(url)) last = {url: message.url, title: message.title};
  else if (url) Object.assign(message, {opener: openers.get(tab), behind: last ? [last] : others});
  port.postMessage(message);
}

async function look() {
  const atMs = Date.now();
  let [tab] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
  if (!tab) [tab] = await chrome.tabs.query({active: true});
  shown = tab ? tab.id : null;
  if (tab && !ADDRESS.test(address(tab))) {
    await lookBehind(tab);
    // The page may have been loaded meanwhile, or another one may be shown.
    tab = await chrome.tabs.get(tab.id).catch(() => null);
    if (tab?.id !== shown) return;
  }
  tell(address(tab), tab?.title, atMs);
  lookIntoPage();
  if (!tab || hasLooked) return;
  // The page was shown before this script started.
  hasLooked = true;
  if (await hasFailed(tab.id, tab.url)) look();
}

// Returns the address of a tab. A newly opened tab has none.
function address(tab) {
  return tab ? tab.url || tab.pendingUrl || "about:blank" : undefined;
}

// Finds the pages that a page without an address may be named by.
async function lookBehind(tab) {
  if (tab.openerTabId !== undefined) await keepOpener(tab.id, tab.openerTabId);
  if (last) return;
  // The previously shown page is unknown, so the mask of any open page holds.
  const tabs = await chrome.tabs.query({});
  others = tabs.filter((other) => other.url && ADDRESS.test(other.url)).slice(0, MOST_OTHERS)
    .map((other) => page(other, LONGEST_OTHER));
}

// Stores the page that opened a tab. If that page has no address, stores the one that opened it.
async function keepOpener(id, opener) {
  if (openers.has(id)) return;
  try {
    const tab = await chrome.tabs.get(opener);
    const first = tab.url && ADDRESS.test(tab.url) ? page(tab, LONGEST_OTHER) : openers.get(opener);
    if (first) openers.set(id, first);
  } catch {
    // The tab was already closed.
  }
}

function isPage(details) {
  return details.frameId === 0 && details.documentLifecycle !== "prerender";
}

function navigated(details) {
  if (!isPage(details)) return;
  if (shown === null) look();
  // The tab still has the title of the previous page, so none is sent.
  else if (details.tabId === shown) tell(details.url, "", details.timeStamp);
}

function committed(details) {
  if (isPage(details)) {
    // Firefox commits an error page under the requested address.
    if (failing.get(details.tabId) === details.url) failed.set(details.tabId, details.url);
    else failed.delete(details.tabId);
    failing.delete(details.tabId);
  }
  navigated(details);
  if (details.frameId === 0 && details.tabId === shown) lookIntoPage();
}

async function failedToLoad(details) {
  if (!isPage(details) || ABORTED.includes(details.error)) return;
  // Firefox reports the error before it commits the error page.
  if (!details.error.startsWith("net::")) return failing.set(details.tabId, details.url);
  if (await hasFailed(details.tabId, details.url)) navigated(details);
}

// Asks Chromium, which commits no error page, whether a tab shows one.
async function hasFailed(tab, url) {
  try {
    const frame = await chrome.webNavigation.getFrame({tabId: tab, frameId: 0});
    if (!frame?.errorOccurred || frame.url !== url) return false;
    failed.set(tab, url);
    return true;
  } catch {
    return false;
  }
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

// Runs the scripts in the shown page. If they already run there, makes them report again.
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
  // An empty text withdraws the last report of the page.
  texts.push(text.length > LONGEST_TEXT ? "" : text);
  if (texts.length > MOST_TEXTS) texts.shift();
  sendText();
}

function sendText() {
  if (isBusy || texts.length === 0) return;
  isBusy = true;
  port.postMessage({told: texts.shift()});
}

chrome.webNavigation.onBeforeNavigate.addListener((details) => {
  if (details.frameId === 0) failing.delete(details.tabId);
});
chrome.webNavigation.onCommitted.addListener(committed);
chrome.webNavigation.onErrorOccurred.addListener(failedToLoad);
chrome.webNavigation.onHistoryStateUpdated.addListener(navigated);
chrome.webNavigation.onReferenceFragmentUpdated.addListener(navigated);
chrome.tabs.onActivated.addListener(look);
chrome.tabs.onRemoved.addListener((tab) => {
  for (const known of [failed, failing, openers]) known.delete(tab);
  if (tab === shown) look();
});
chrome.webNavigation.onCreatedNavigationTarget.addListener(
  (details) => keepOpener(details.tabId, details.sourceTabId));
chrome.tabs.onReplaced.addListener(look);
chrome.tabs.onUpdated.addListener((id, change, tab) => {
  if (id === shown && change.title !== undefined) tell(tab.url, change.title, Date.now());
});
chrome.windows.onFocusChanged.addListener((id) => {
  if (id !== chrome.windows.WINDOW_ID_NONE) look();
});
chrome.runtime.onMessage.addListener(told);
// Without a connection, the browser suspends this script. The alarm wakes it up to reconnect.
chrome.alarms.create({periodInMinutes: 0.5});
chrome.alarms.onAlarm.addListener(connect);
connect();
