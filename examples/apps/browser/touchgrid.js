// Tells Touchgrid which screen the page shows, through touchgrid-bridge on this machine.
const bridge = "http://127.0.0.1:8090";
let sending = Promise.resolve();
let newest;

// Call this where the screen changes. It never fails, and you need not wait for it.
export function showing(screen) {
  // With a string as the body, the browser sends no CORS preflight request.
  const body = JSON.stringify({ screen, changedAt: Date.now() });
  newest = body;
  // One request after the other, so that the last name arrives last.
  sending = sending.then(() => send("screen", body, () => body === newest));
}

// Where the buttons of a screen are, in points of the display. Call it before you name the screen, and when a
// layout changes.
export function controls(screen, controls) { post("controls", { screen, controls }); }

// Tags of the running session, such as { build: "1.4" }.
export function tags(tags) { post("tags", { tags }); }

// Adds a mask, such as { screen: "pin" }, before its screen is named. Pages may add 16, and remove none.
export function mask(mask) { post("masked", { mask }); }

function post(path, message) {
  sending = sending.then(() => send(path, JSON.stringify(message), () => true));
}

// Sends each at least once, and again for a minute unless a name is not the newest: the bridge may start after the page.
async function send(path, body, isWanted) {
  for (let attempt = 0; attempt < 30; attempt++) {
    try {
      // The bridge itself takes at most 4 s for a request.
      const reply = await fetch(`${bridge}/${path}`, { method: "POST", body, signal: AbortSignal.timeout(5000) });
      if (!reply.ok) console.warn("touchgrid:", await reply.text());
      return;
    } catch (error) {
      console.warn("touchgrid:", error.message);
      if (!isWanted()) return;
      await new Promise((resume) => setTimeout(resume, 2000));
    }
  }
}
