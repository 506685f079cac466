// The end of a game: who won and why, what everybody owns, as a picture and on paper, and once more.
import { scoreTable, whyOver } from "/static/board/board.js";
import { byId, h, put } from "/static/page/dom.js";
import { savePng, saveSvg } from "/static/finish/poster.js";
import { boot, change, goOnAt, onState, seatOf, t } from "/static/page/live.js";
import { quarter } from "/static/market/quarter.js";
import { mark, smallTile } from "/static/board/tiles.js";

/** What a player owns, drawn. */
function owned(state, letter) {
  const own = state.view?.seats?.find((row) => row.seat === letter) || {};
  if (own.techniques) return quarter(own);
  const tiles = own.captured?.[0]?.theme ? own.captured : [];
  const score = state.scores.find((row) => row.seat === letter);
  const inSets = (score?.lines || []).filter((line) => line.faces.length && line.points && line.clause === state.result.set_clause);
  const single = tiles.filter((tile) => !inSets.some((line) => line.faces.includes(tile.id)));
  const group = (label, some) => h("div", { class: "owned-set" }, h("span", {}, label), h("div", { class: "minis", role: "group", "aria-label": label }, some.map(smallTile)));
  return [
    inSets.map((line) => group(`${line.text} (${line.points})`, tiles.filter((tile) => line.faces.includes(tile.id)))),
    single.length ? group(t("Tiles in no set"), single) : null,
  ];
}
/** The place; where nobody has won there is none, and the number beside the name says what it counts. */
const standing = (state, { place, total }) =>
  place ? h("span", { class: "chip next" }, t("Place {n}", { n: place })) : h("span", { class: "chip" }, state.view?.map ? t("glory {n}", { n: total }) : t("points: {n}", { n: total }));
function row(state, one) {
  const score = state.scores.find((each) => each.seat === one.seat);
  return h(
    "li",
    { class: `card ranked ${state.result.winners.includes(one.seat) ? "won" : ""}` },
    h("div", { class: "player" }, mark(one.seat), h("div", { class: "who" }, seatOf(one.seat).name), h("div", { class: "total", "aria-label": t("points: {n}", { n: one.total }) }, String(one.total)), h("div", { class: "more chips" }, standing(state, one))),
    owned(state, one.seat),
    score ? h("details", { class: "small", open: true }, h("summary", {}, t("How the points come together")), scoreTable(score)) : null,
  );
}
/** The way to the proof of the draws; nobody can check them before the referee has revealed the secret. */
function checked(state) {
  if (!["sealed", "revealed"].includes(state.bag?.phase)) return null;
  const due = boot.as === "referee" && state.bag.phase === "sealed";
  return h("a", { class: "button", href: "/draws" }, due ? t("The game is over: reveal the secret") : t("Check the draws"));
}
async function again() {
  if (await change("/api/again", {})) location.href = "/referee";
}
// Whoever looks at the result when the next game begins goes on where they play.
goOnAt(boot.home);
onState((state) => {
  const result = state.result;
  if (!result) {
    put("headline", t("The game is not over yet."));
    put("why", h("a", { href: boot.home }, boot.home === "/table" ? t("To the table") : t("Back to my page")));
    return;
  }
  put("headline", result.sentence);
  put("why", whyOver(result));
  put("ranking", h(result.winners.length ? "ol" : "ul", { class: "ranking" }, result.ranking.map((one) => row(state, one))));
  put(
    "after",
    h("button", { type: "button", class: "primary", onclick: () => savePng(state) }, t("Save as a picture (PNG)")),
    h("button", { type: "button", onclick: () => saveSvg(state) }, t("Save as a drawing (SVG)")),
    h("button", { type: "button", onclick: () => print() }, t("Print")),
    boot.as === "referee"
      ? h("button", { type: "button", id: "again", onclick: again }, t("Again with the same players"))
      : h("a", { class: "button", href: "/referee" }, t("Again with the same players (referee)")),
    h("a", { class: "button", href: "/history" }, t("Games played")),
    checked(state),
  );
});
