// A table of the hall as everybody sees it, and the players' clocks.
import { alerts, board, headline, openCards, order, players, supply, wrongSlots } from "/static/board.js";
import { byId, h, put } from "/static/dom.js";
import { clockOf } from "/static/everyday/clock.js";
import { t } from "/static/live.js";

const TICK_MS = 500;
/** Draw a page's state. `screen`: from two metres, without what is read from near. */
export function draw(state, { screen = false } = {}) {
  put("headline", headline(state));
  put("expected", state.result ? state.result.why : state.expected || "", state.view?.last_round && !state.over ? ` · ${t("last round")}` : "");
  put("game", state.title ? ` · ${state.title}` : "");
  put("alerts", state.session ? alerts(state) : null);
  put("board", state.session ? board(state, { wrong: wrongSlots(state) }) : null);
  put("players", state.session ? players(state, { points: !screen, details: !screen, mini: screen }) : null);
  put("order", order(state));
  put("supply", state.session ? [supply(state), openCards(state).length ? h("div", { class: "chips" }, openCards(state)) : null] : null);
  put("round", state.view?.round ? t("Round {n}", { n: state.view.round }) : "");
  document.body.classList.toggle("over", Boolean(state.over));
  shareWidth();
  tick();
}
/** The board gets the width that its height asks for, all else the rest: see table.css. */
function shareWidth() {
  const drawn = byId("board").firstElementChild,
    box = drawn?.viewBox?.baseVal;
  const ratio = box?.width ? box.width / box.height : drawn?.style.getPropertyValue("--columns") / drawn?.style.getPropertyValue("--rows");
  if (ratio) byId("board").closest(".columns").style.setProperty("--ratio", ratio.toFixed(3));
}
function tick() {
  for (const place of document.querySelectorAll("[data-clock]")) {
    const clock = clockOf(place.dataset.clock);
    if (!clock) continue;
    if (place.textContent !== clock.text) place.textContent = clock.text;
    place.classList.toggle("over", clock.over);
    place.classList.toggle("running", clock.running);
  }
}
setInterval(tick, TICK_MS);

/** What the hall says of a table beside its game. */
export const standing = (table) =>
  [
    table.review && h("p", { class: "banner", role: "status" }, t("A decision is under review: this is how the table stood when the review began.")),
    table.call === true && h("p", { class: "banner", role: "status" }, t("A referee is called.")),
    table.delay_s > 0 && h("p", { class: "soft small" }, t("{n} seconds late", { n: table.delay_s })),
  ].filter(Boolean);
