// The big screen: what everyone at the table looks at.
import { alerts, board, clauseLink, headline, openCards, order, players, supply, wrongSlots } from "/static/board.js";
import { byId, h, put } from "/static/dom.js";
import { openSeats, pageCode } from "/static/joining/codes.js";
import { onState, t } from "/static/live.js";
import "/static/news.js";

if (byId("joining")) openSeats(byId("joining"));
if (byId("setup-code")) pageCode(byId("setup-code"), "setup");

onState((state) => {
  put("headline", headline(state), state.clause && !state.over ? [" ", clauseLink(state.clause.id)] : null);
  put(
    "expected",
    state.over || !state.expected ? "" : state.expected,
    state.view?.last_round && !state.over ? ` · ${t("last round")}` : "",
  );
  if (!state.session) return;
  put("alerts", alerts(state));
  put("board", board(state, { wrong: wrongSlots(state) }));
  put("players", players(state));
  put("order", order(state));
  put("supply", supply(state), openCards(state).length ? h("div", { class: "chips" }, openCards(state)) : null);
  put("round", state.view?.round ? t("Round {n}", { n: state.view.round }) : "");
});
