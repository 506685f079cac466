// Follows the hub's live stream; what it is told goes to followers by the kind of event.
import { boot, setLinked } from "/static/live.js";

const AGAIN_MS = 2000,
  SILENT_MS = 12000, // the hub says every 5 s that it is there
  LOOK_MS = 1000;
const loaded = performance.now();
/** The hub's clock. */
export const now = () => boot.now_ms + performance.now() - loaded;

/** `back` is called whenever the stream is there again after a break: what was told meanwhile is not told again. */
export function follow(followers, back = () => {}) {
  let source = null,
    heard = 0,
    opened = false;
  const hear = () => {
    heard = performance.now();
    setLinked(true);
  };
  function connect() {
    source?.close();
    heard = performance.now();
    source = new EventSource(`/api/live?${boot.hall.query}`);
    source.onopen = () => {
      hear();
      if (opened) back();
      opened = true;
    };
    source.onerror = lost;
    source.addEventListener("here", hear);
    for (const [kind, told] of Object.entries(followers))
      source.addEventListener(kind, (event) => {
        hear();
        told(JSON.parse(event.data));
      });
  }
  async function lost() {
    setLinked(false);
    // Refused for good: try again by hand; whoever has no rights any more comes to the log-in.
    if (source.readyState !== EventSource.CLOSED) return;
    const here = await fetch(location.href, { redirect: "manual" }).catch(() => null);
    if (here && (here.type === "opaqueredirect" || [401, 403].includes(here.status))) location.reload();
    else setTimeout(connect, AGAIN_MS);
  }
  // A device that changed its network keeps a connection on which nothing comes any more, and is not told so.
  setInterval(() => {
    if (source.readyState === EventSource.CLOSED || performance.now() - heard < SILENT_MS) return;
    setLinked(false);
    connect();
  }, LOOK_MS);
  addEventListener("online", connect);
  addEventListener("offline", () => setLinked(false));
  connect();
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
