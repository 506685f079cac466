// The big screen: what everyone at the table looks at.
import { alerts, board, clauseLink, headline, openCards, order, players, resultLink, shareWidth, supply, undrawn, whoDraws, whyOver, wrongSlots } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { openSeats, pageCode } from "/static/joining/codes.js";
import { onState, t } from "/static/page/live.js";
import "/static/acting/agreeing.js";
import "/static/acting/news.js";

if (byId("joining")) openSeats(byId("joining"));
if (byId("setup-code")) pageCode(byId("setup-code"), "setup");

const longestWord = (seats) => Math.max(...seats.flatMap((seat) => seat.name.split(/(?<=-)|\s+/u)).map((word) => [...word].length));
/** Once something is at stake the score stands above the codes of those who play without a phone. */
const underWay = (state) => state.view?.round > 1 || (state.scores || []).some((one) => one.total);
/** Whether anybody has acted: in a market the first worker is placed before there is a score. */
const hasBegun = (state) => Boolean(underWay(state) || state.view?.gaps?.some((gap) => gap.workers.length));
/** Least widths of an own card, in rem, from the largest on. */
const CARD_WIDTHS = [8.5, 6.4, 4.6, 3.6, 2.8];
let cardWidth = 0; // the number of the one in use
/** How large news and supply are drawn, from the largest on. */
const CLOSER = [1, 0.85, 0.7, 0.6];
/** Nobody scrolls a big screen: where its room is needed long names are cut to a line, then the codes give way once
somebody has acted; neither comes back to jump again before the next game. Then news and supply are drawn smaller for as
long as there is so much of them: both jump with each news anyway. Own cards come last, for the rest of the game. */
function makeRoom() {
  const aside = document.querySelector("aside"),
    codes = byId("joining").classList,
    begun = document.body.classList.contains("begun"),
    cutOff = () => aside.scrollHeight > aside.clientHeight + 1,
    draw = (width) => aside.style.setProperty("--own-card", `${CARD_WIDTHS[(cardWidth = width)]}rem`),
    bring = (closer) => aside.style.setProperty("--closer", closer),
    fits = () => CLOSER.some((closer) => (bring(closer), !cutOff()));
  if (!begun) {
    codes.remove("folded");
    draw(0);
  }
  bring(1);
  if (cutOff()) aside.classList.add("tight");
  if (begun && cutOff()) codes.add("folded");
  while (!fits() && begun && cardWidth < CARD_WIDTHS.length - 1) draw(cardWidth + 1);
}
if (byId("joining")) {
  // The room shrinks, too: by an alarm above it, or by another window.
  const size = new ResizeObserver(() => requestAnimationFrame(makeRoom));
  for (const part of document.querySelectorAll("aside, aside > *")) size.observe(part);
}
onState((state) => {
  put("headline", headline(state), state.clause && !state.over ? [" ", clauseLink(state.clause.id)] : null);
  put(
    "expected",
    state.result ? whyOver(state.result) : state.expected || "",
    whoDraws(state) ? ` – ${whoDraws(state)}` : null,
    resultLink(state),
    state.view?.last_round && !state.over ? ` · ${t("last round")}` : "",
  );
  if (!state.session) return;
  document.body.classList.toggle("over", state.over);
  document.body.classList.toggle("under-way", underWay(state));
  document.body.classList.toggle("begun", hasBegun(state));
  put("alerts", alerts(state));
  put("board", board(state, { wrong: wrongSlots(state) }));
  shareWidth(byId("board"));
  // Nobody's name is broken within a word.
  byId("players").style.setProperty("--name-letters", longestWord(state.seats));
  put("players", players(state, { points: false, mini: true }));
  put("order", order(state));
  put("supply", supply(state, true), openCards(state).length ? h("div", { class: "chips" }, openCards(state)) : null);
  put("undrawn", undrawn(state));
  put("round", state.view?.round ? t("Round {n}", { n: state.view.round }) : "");
  if (byId("joining")) requestAnimationFrame(makeRoom);
});
