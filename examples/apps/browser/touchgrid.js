// Tells Touchgrid which screen the page shows, through touchgrid-bridge on this machine.
const bridge = "http://127.0.0.1:8090/screen";
let sending = Promise.resolve();
let newest;

// Call this where the screen changes. It never fails, and you need not wait for it.
export function showing(screen) {
  // With a string as the body, the browser sends no CORS preflight request.
  const body = JSON.stringify({ screen, changedAt: Date.now() });
  newest = body;
  // One request after the other, so that the last name arrives last.
  sending = sending.then(() => send(body));
}

// Sends each name at least once, and the newest again for a minute: the bridge may start after the page.
async function send(body) {
  for (let attempt = 0; attempt < 30; attempt++) {
    try {
      // The bridge itself takes at most 4 s for a request.
      const reply = await fetch(bridge, { method: "POST", body, signal: AbortSignal.timeout(5000) });
      if (!reply.ok) console.warn("touchgrid:", await reply.text());
      return;
    } catch (error) {
      console.warn("touchgrid:", error.message);
      if (body !== newest) return;
      await new Promise((resume) => setTimeout(resume, 2000));
    }
  }
}
