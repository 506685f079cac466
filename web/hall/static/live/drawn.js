// A table of the hall as everybody sees it, and the players' clocks.
import { alerts, board, headline, openCards, order, players, shareWidth, supply, wrongSlots } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { tick } from "/static/everyday/clock.js";
import { t } from "/static/page/live.js";

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
  shareWidth(byId("board"));
  tick();
}

/** What the hall says of a table beside its game. */
export const standing = (table) =>
  [
    table.review && h("p", { class: "banner", role: "status" }, t("A decision is under review: this is how the table stood when the review began.")),
    table.call === true && h("p", { class: "banner", role: "status" }, t("A referee is called.")),
    table.delay_s > 0 && h("p", { class: "soft small" }, t("{n} seconds late", { n: table.delay_s })),
  ].filter(Boolean);
