// Tells Touchgrid which screen the page shows, through touchgrid-bridge on this machine.
const bridge = "http://127.0.0.1:8090/screen";
let sending = Promise.resolve();

// Call this where the screen changes. It never fails, and you need not wait for it.
export function showing(screen) {
  // With a string as the body, the browser sends no CORS preflight request.
  const body = JSON.stringify({ screen, changedAt: Date.now() });
  // One request after the other, so that the last name arrives last.
  sending = sending
    .then(() => fetch(bridge, { method: "POST", body, signal: AbortSignal.timeout(1000) }))
    .then(async (reply) => reply.ok || console.warn("touchgrid:", await reply.text()))
    .catch((error) => console.warn("touchgrid:", error.message));
}
