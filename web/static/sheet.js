// The state, or the result, on paper.
import { board, headline, order, players, scoreTable, supply } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { nameOf, onState, seatOf, t } from "/static/page/live.js";

/** Each name once, with how many there are of it. */
function counted(names) {
  const found = new Map();
  for (const name of names) found.set(name, (found.get(name) || 0) + 1);
  return [...found].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name));
}
onState((state) => {
  put("headline", headline(state));
  if (!state.session) return;
  put(
    "expected",
    state.result
      ? `${state.result.ended_by.id} ${state.result.ended_by.title}`
      : [state.view?.round ? `${t("Round {n}", { n: state.view.round })}. ` : "", state.expected || ""],
  );
  put("number", t("after record {n}", { n: state.number }));
  put("order", order(state));
  put("board", board(state));
  put(
    "players",
    players(state, { points: false }), // the tables below say how the points come together
    state.scores.map((score) => [h("h3", {}, seatOf(score.seat).name), scoreTable(score)]),
  );
  put("supply", supply(state));
  put(
    "tiles",
    state.view?.supply?.possible?.join ? `${t("May be in the bag")}: ${counted(state.view.supply.possible.map(nameOf)).join(", ")}` : "",
  );
});
byId("print").addEventListener("click", () => print());
