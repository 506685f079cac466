// Follows the hub's live stream; what it is told goes to followers by the kind of event.
import { boot, setLinked } from "/static/live.js";

const AGAIN_MS = 2000;
const loaded = performance.now();
/** The hub's clock. */
export const now = () => boot.now_ms + performance.now() - loaded;

export function follow(followers) {
  const source = new EventSource(`/api/live?${boot.hall.query}`);
  source.onopen = () => setLinked(true);
  source.onerror = async () => {
    setLinked(false);
    // Refused for good: try again by hand; whoever has no rights any more comes to the log-in.
    if (source.readyState !== EventSource.CLOSED) return;
    const here = await fetch(location.href, { redirect: "manual" }).catch(() => null);
    if (here && (here.type === "opaqueredirect" || [401, 403].includes(here.status))) location.reload();
    else setTimeout(() => follow(followers), AGAIN_MS);
  };
  for (const [kind, heard] of Object.entries(followers)) source.addEventListener(kind, (event) => heard(JSON.parse(event.data)));
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
