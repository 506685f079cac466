// Follows the hub's live stream; what it is told goes to followers by the kind of event.
import { boot, setLinked } from "/static/page/live.js";
import { listen } from "/static/page/stream.js";

const SILENT_MS = 12000; // the hub says every 5 s that it is there
const loaded = performance.now();
/** The hub's clock. */
export const now = () => boot.now_ms + performance.now() - loaded;

/** `back` is called whenever the stream is there again after a break: what was told meanwhile is not told again. */
export function follow(followers, back = () => {}) {
  let wasOpen = false;
  const opened = () => {
    if (wasOpen) back();
    wasOpen = true;
  };
  listen(`/api/live?${boot.hall.query}`, followers, { silentMs: SILENT_MS, linked: setLinked, opened, refused: mayListen });
}
/** Whoever has no rights any more comes to the log-in. */
async function mayListen() {
  const page = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  const refused = page && (page.type === "opaqueredirect" || [401, 403].includes(page.status));
  if (refused) location.reload();
  return !refused;
}
/** How long it is since a moment, as m:ss or h:mm h. */
export function ago(then_ms) {
  const seconds = Math.max(0, Math.floor((now() - then_ms) / 1000)),
    minutes = Math.floor(seconds / 60),
    two = (n) => String(n).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
}
/** A place that shows how long ago `then_ms` was, and goes on showing it. */
export const since = (h, then_ms) => h("span", { class: "num", "data-since": then_ms }, ago(then_ms));
setInterval(() => {
  for (const place of document.querySelectorAll("[data-since]")) {
    const text = ago(Number(place.dataset.since));
    if (place.textContent !== text) place.textContent = text;
  }
}, 1000);
