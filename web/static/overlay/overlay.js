// One element of the table for a stream: boxes of fixed sizes on a transparent ground, so that nothing moves.
import { board, headline } from "/static/board/board.js";
import { byId, h } from "/static/page/dom.js";
import { clockOf } from "/static/everyday/clock.js";
import { onState, t } from "/static/page/live.js";
import { mark } from "/static/board/tiles.js";

const place = byId("element");
const rows = (state, what) =>
  state.seats.map((seat) => {
    const on = (state.view?.awaited || state.to_act).includes(seat.seat) && !state.over;
    return h("div", { class: `box ${on ? "on" : ""}` }, mark(seat.seat), h("span", { class: "text" }, seat.name), what ? h("span", { class: "value" }, what(seat)) : null);
  });
const total = (state, seat) => String(state.scores.find((row) => row.seat === seat.seat)?.total ?? 0);
const DRAWN = {
  names: (state) => rows(state),
  score: (state) => rows(state, (seat) => total(state, seat)),
  clock: (state) => rows(state, (seat) => h("span", { "data-clock": seat.seat }, clockOf(seat.seat)?.text || "–:––")),
  turn: (state) => [
    h("div", { class: "box wide on" }, h("span", { class: "text" }, headline(state).replace(/\s*\([^)]*\)\.?$/u, ""))),
    h("div", { class: "box" }, h("span", { class: "text" }, state.view?.round ? t("Round {n}", { n: state.view.round }) : "")),
  ],
  grid: (state) => h("div", { class: "table-picture" }, board(state)),
};
onState((state) => place.replaceChildren(...(state.session ? [DRAWN[place.dataset.element](state)].flat() : [])));
