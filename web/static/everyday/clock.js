// What a player's clock shows: the times of the record, and what has run since by this page's own clock.
import { boot, state } from "/static/page/live.js";

const loaded = performance.now();
const now = () => boot.now_ms + performance.now() - loaded;
/** The clock of a seat: `text` as mm:ss, `over` its limit, `running`; null when there are no clocks. `page`: of another
table than the page's own. */
export function clockOf(letter, page = state) {
  const clock = page.clock;
  if (!clock) return null;
  const running = clock.running.includes(letter) && !page.paused;
  const used = (clock.used_ms[letter] || 0) + (running ? Math.max(0, now() - clock.since_ms) : 0);
  const shown = clock.limit_ms === null ? used : clock.limit_ms - used,
    seconds = Math.floor(Math.abs(shown) / 1000);
  const text = `${shown < 0 ? "–" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return { text, over: shown < 0, running };
}

const TICK_MS = 500;
/** Every clock of the page as it stands now; done by itself twice a second. */
export function tick() {
  for (const place of document.querySelectorAll("[data-clock]")) {
    const clock = clockOf(place.dataset.clock);
    if (!clock) continue;
    if (place.textContent !== clock.text) place.textContent = clock.text;
    place.classList.toggle("over", clock.over);
    place.classList.toggle("running", clock.running);
  }
}
setInterval(tick, TICK_MS);
