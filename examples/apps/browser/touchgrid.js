// Tells Touchgrid, through touchgrid-bridge on this machine, which screen the page shows.
const bridge = "http://127.0.0.1:8090/screen";
let sending = Promise.resolve();

// Call it where the screen changes. It never fails and nothing need wait for it.
export function showing(screen) {
  // A string as body is a request that browsers send without asking first (no CORS preflight).
  const body = JSON.stringify({ screen, changedAt: Date.now() });
  // One after the other, so that the last name is the last to arrive.
  sending = sending
    .then(() => fetch(bridge, { method: "POST", body, signal: AbortSignal.timeout(1000) }))
    .then(async (reply) => reply.ok || console.warn("touchgrid:", await reply.text()))
    .catch((error) => console.warn("touchgrid:", error.message));
}
