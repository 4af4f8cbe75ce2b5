// Runs after controls.js, in the extension's isolated world of the page that is shown. The page's
// scripts can see neither. Sends what is told to follow.js. Runs again whenever follow.js has lost
// what the page told; the page's names of elements are no properties of its own.

if (Object.hasOwn(globalThis, "touchgridTellAgain")) {
  globalThis.touchgridTellAgain();
} else {
  let last = null;

  async function send(text) {
    try {
      await chrome.runtime.sendMessage(text);
    } catch {
      // The extension is gone or starts again. It then runs this script again.
    }
  }

  globalThis.touchgridTellAgain = () => { if (last !== null) send(last); };
  // Only controls are told again: what responses say has happened once.
  globalThis.touchgridControls((text) => {
    last = text;
    send(text);
  }, send);
}
