// Runs after controls.js, in the extension's isolated world of the shown page, whose scripts cannot
// see it. Sends reports to follow.js. Runs again whenever follow.js has lost the page's report.
// Uses `Object.hasOwn`, because elements of the page can appear as inherited properties of the
// global object.

if (Object.hasOwn(globalThis, "touchgridTellAgain")) {
  globalThis.touchgridTellAgain();
} else {
  let last = null;

  async function send(text) {
    try {
      await chrome.runtime.sendMessage(text);
    } catch {
      // The extension has ended or is starting again. It then runs this script again.
    }
  }

  globalThis.touchgridTellAgain = () => { if (last !== null) send(last); };
  // Repeat only reports of controls: a response happened only once.
  globalThis.touchgridControls((text) => {
    last = text;
    send(text);
  }, send);
}
