// What lies before one player of a market game: money, crystals, workers, tracks, own buildings, techniques, tokens.
import { h, s } from "/static/page/dom.js";
import { seatOf, state, t } from "/static/page/live.js";
import { card, cardWords } from "/static/market/cards.js";
import { place } from "/static/market/market.js";
import { inlineSymbol } from "/static/market/symbols.js";
import { cube } from "/static/board/tiles.js";

const NOTHING = { tap: null, marked: new Set(), wrong: new Set(), can: new Set() };
const STEP = {
  I: () => t("Phase I"),
  II: () => t("Phase II"),
  passed: () => t("has passed"),
};
const counted = (name, n, word) => h("span", { class: "chip", title: word }, inlineSymbol(name), h("b", { class: "num" }, String(n)));

/** Chips that everybody sees: what a player has, and where the discs lie; the phase as long as it is played. */
export function holdings(own, mini = false) {
  const { workers } = own;
  return [
    state.over
      ? null
      : h(
          "span",
          { class: `chip ${own.step === "passed" ? "ok" : ""}`, "aria-label": STEP[own.step]() },
          mini && own.step !== "passed" ? own.step : STEP[own.step](),
        ),
    counted("pounds", own.money, t("pounds")),
    counted(state.view.resource.key, own[state.view.resource.key], state.view.resource.name),
    h(
      "span",
      { class: "chip", "aria-label": t("active workers: {n} of {all}", { n: workers.active, all: 7 - workers.reserve }) },
      inlineSymbol("worker"),
      h("b", { class: "num" }, `${workers.active}/${7 - workers.reserve}`),
    ),
    counted("residence", own.residence, t("Residence")),
    own.kept_tokens.length ? h("span", { class: "chip" }, inlineSymbol("token"), own.kept_tokens.join(", ")) : null,
    own.used_event && !mini && !state.over ? h("span", { class: "chip" }, t("event used")) : null,
  ];
}
const SMALL = [132, 104, 17];
const MINI = [136, 64, 19]; // without the name: on the big screen the effects are to be read from two metres
/** The own buildings and techniques as cards; buildings can be tapped by their places. */
export function quarter(own, options = NOTHING, mini = false) {
  const [width, height, letters] = mini ? MINI : SMALL;
  const drawn = (one, slot) =>
    s(
      "svg",
      { class: "own-card", viewBox: `-3 -3 ${width + 6} ${height + 6}`, role: slot ? "group" : "img", "aria-label": slot ? null : cardWords(one) },
      place(
        slot || one.id,
        cardWords(one),
        [0, 0, width, height],
        [
          card(one, 0, 0, width, height, letters, { price: false, name: !mini }),
          Array.from({ length: one.workers || 0 }, (_, i) => cube(own.seat, width - 27 - i * 25, height - 27, 25)),
        ],
        slot ? options : NOTHING,
      ),
    );
  if (!own.buildings.length && !own.techniques.length) return null;
  return h(
    "div",
    { class: mini ? "quarter mini" : "quarter", role: "group", "aria-label": t("Quarter of {player}", { player: seatOf(own.seat).name }) },
    own.techniques.map((one) => drawn(one)),
    own.buildings.map((one) => drawn(one, `${own.seat}-${one.space}`)),
  );
}
/** The residence track with every player's disc on it, and the tokens left. */
export function tracks(view) {
  const cell = 40;
  const at = view.track.map((value, i) => {
    const here = view.seats.filter((own) => own.residence === value).map((own) => own.seat);
    return [
      s("rect", { x: i * cell + 1, y: 1, width: cell - 2, height: 52, rx: 6, class: "empty" }),
      s("text", { x: i * cell + cell / 2, y: 19, class: "title", "font-size": 16 }, String(value)),
      here.map((letter, k) => cube(letter, i * cell + 3 + (k % 2) * 17, 23 + Math.floor(k / 2) * 10, 16)),
    ];
  });
  const label = view.seats.map((own) => `${seatOf(own.seat).name} ${own.residence}`).join(", ");
  return h(
    "div",
    { class: "track" },
    h("span", {}, t("Residence")),
    s("svg", { viewBox: `0 0 ${view.track.length * cell} 54`, role: "img", "aria-label": `${t("Residence")}: ${label}` }, at),
  );
}