// The state, or the result, on paper.
import { board, headline, order, players, scoreTable, supply } from "/static/board.js";
import { byId, h, put } from "/static/dom.js";
import { onState, seatOf, t } from "/static/live.js";

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
    players(state, { details: false }),
    (state.view?.seats || [])
      .filter((seat) => seat.captured?.[0]?.theme)
      .map((seat) =>
        h(
          "p",
          { class: "small" },
          `${seatOf(seat.seat).name}: ${t("Captured tiles")}: `,
          (seat.captured || []).map((tile) => tile.id).join(", ") || "–",
        ),
      ),
    state.scores.map((score) => [h("h3", {}, seatOf(score.seat).name), scoreTable(score)]),
  );
  put("supply", supply(state));
  put(
    "tiles",
    state.view?.supply?.possible?.join ? `${t("May be in the bag")}: ${state.view.supply.possible.join(", ")}` : "",
  );
});
byId("print").addEventListener("click", () => print());
