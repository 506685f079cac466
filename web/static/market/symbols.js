// The symbols of a market game, drawn by ourselves within 20 x 20, each with its word for the legend.
import { h, s } from "/static/page/dom.js";
import { onState, state, t } from "/static/page/live.js";

const INK = "#1b1b1b";
const shape = (d, fill, more = {}) => s("path", { d, fill, stroke: INK, "stroke-width": 1.1, "stroke-linejoin": "round", ...more });
const stroke = (d, width = 2, ink = INK) =>
  s("path", { d, fill: "none", stroke: ink, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const letter = (x, y, size, what, fill = INK) =>
  s("text", { x, y, "font-size": size, "font-weight": 800, "text-anchor": "middle", fill }, what);
const pawn = (fill) => [
  shape("M4 18.5 C4 12 7 10.5 10 10.5 S16 12 16 18.5Z", fill),
  s("circle", { cx: 10, cy: 6, r: 4.4, fill, stroke: INK, "stroke-width": 1.1 }),
];
const house = (fill) => shape("M2 10 L10 2.5 L18 10 H15.5 V18 H4.5 V10Z", fill);

const crystal = () => [shape("M10 1.5 L16.5 7 L13.5 18.5 H6.5 L3.5 7Z", "#54c07a"), stroke("M3.5 7 H16.5 M10 1.5 L8 7 L10 18.5 L12 7Z", 0.8)];
const DRAWN = {
  worker: () => pawn("#e9d8b4"),
  newcomer: () => [pawn("#b9e3c0"), stroke("M15.5 1.5 v6 M12.5 4.5 h6", 1.8)],
  pounds: () => [s("circle", { cx: 10, cy: 10, r: 8.6, fill: "#f3cf57", stroke: INK, "stroke-width": 1.1 }), letter(10, 15, 14, "£")],
  points: () => shape("M10 1 L12.7 7 L19 7.6 L14.2 12 L15.7 18.6 L10 15.2 L4.3 18.6 L5.8 12 L1 7.6 L7.3 7Z", "#f08f3c"),
  token: () => [s("rect", { x: 2.5, y: 2.5, width: 15, height: 15, rx: 3, fill: "#fff", stroke: INK, "stroke-width": 1.4, "stroke-dasharray": "3 1.6" }), letter(10, 14.4, 12, "?")],
  residence: () => [house("#c9b6ea"), stroke("M6.5 13.5 h6 m-2.2 -2.3 l2.3 2.3 l-2.3 2.3", 1.5)],
  building: () => house("#d8cbb0"),
  space: () => s("rect", { x: 3, y: 3, width: 14, height: 14, rx: 2, fill: "none", stroke: INK, "stroke-width": 1.8, "stroke-dasharray": "3.4 2.2" }),
  mine: () => [stroke("M4.5 17 L13 7", 2.6), stroke("M7 3.2 C12 3.2 16 6.5 17 12", 3)],
  factory: () => shape("M1.5 18 V9.5 L6.5 12 V9.5 L11.5 12 V4 H15 V18Z", "#b8bfc7"),
  research: () => shape("M7.5 2 H12.5 V7 L17.5 17 A1.6 1.6 0 0 1 16 18.5 H4 A1.6 1.6 0 0 1 2.5 17 L7.5 7Z", "#9fd3e6"),
  money: () => [s("circle", { cx: 7.5, cy: 12, r: 6, fill: "#f3cf57", stroke: INK, "stroke-width": 1.1 }), s("circle", { cx: 12.5, cy: 8, r: 6, fill: "#f9e08c", stroke: INK, "stroke-width": 1.1 }), letter(12.5, 11.4, 9, "£")],
  surcharge: () => [pawn("#e9d8b4"), stroke("M12.5 3.5 h6", 1.8), stroke("M15.5 0.8 v5.4", 1.8)],
  again: () => stroke("M16.5 10 A6.5 6.5 0 1 1 13.5 4.5 M13.5 0.8 V4.8 H9.3", 2.2),
  place: () => [pawn("#e9d8b4"), stroke("M16.5 9 v8 m-2.6 -2.8 l2.6 2.8 l2.6 -2.8", 1.6)],
};
const WORDS = {
  worker: () => t("worker"),
  newcomer: () => t("new worker"),
  pounds: () => t("pounds"),
  points: () => t("points"),
  token: () => t("as many as the token shows"),
  residence: () => t("residence: one space on, or its points"),
  building: () => t("own building"),
  space: () => t("new space"),
  mine: () => t("mine"),
  factory: () => t("factory"),
  research: () => t("research"),
  money: () => t("taking a worker back for money"),
  surcharge: () => t("a pound for each other worker beside the card"),
  again: () => t("a used building is straightened and used again"),
  place: () => t("one more worker is placed in Phase II"),
};
export const symbolWord = (name) => WORDS[name]?.() || name;
const WHEN = {
  use: () => t("each use"),
  built: () => t("when it is built"),
  called: () => t("at once"),
  held: () => t("as long as it is owned"),
  end: () => t("at the end"),
  event: () => t("once a turn"),
};
/** The symbol `name` at (x, y), `size` wide. */
export const symbol = (name, x, y, size) =>
  s("svg", { x, y, width: size, height: size, viewBox: "0 0 20 20" }, DRAWN[name]?.() || []);
/** A symbol in a line of text. */
export const inlineSymbol = (name) =>
  s("svg", { class: "sym", viewBox: "0 0 20 20", role: "img", "aria-label": symbolWord(name) }, DRAWN[name]?.() || []);

/** A row of a card's effects as parts in reading order: [symbol] or ["text"]. */
function parts(row) {
  const counted = (entries, sign = "") =>
    Object.entries(entries || {}).flatMap(([name, n]) => {
      const bare = ["residence", "again", "place", "surcharge", "token"].includes(name) || (name === "worker" && !n);
      return [bare ? [sign, name] : n ? [`${sign}${n}`, name] : [sign, "token", name]];
    });
  const paid = counted(row.pay),
    gained = counted(row.gain, row.when === "held" || row.when === "event" ? "+" : "");
  const found = [];
  if (row.when === "built" || row.when === "end" || row.when === "held") found.push([{ built: "⌂", end: "⚑", held: "" }[row.when]]);
  if (row.of) found.push(["", row.of], [":"]);
  if (row.per) found.push(...counted(row.per).map((one) => [`/${one[0] === "1" ? "" : one[0]}`, ...one.slice(1)]));
  found.push(...paid);
  if (paid.length || row.per) found.push(["→"]);
  found.push(...gained, ...counted(row.spare, "–"));
  return found.map((one) => one.filter((x) => x !== "")).filter((one) => one.length);
}
const KNOWN = new Set(Object.keys(DRAWN));
/** What a market game mines is drawn as a crystal, under the game's own name. */
export function nameResource(resource) {
  if (!resource) return;
  DRAWN[resource.key] = crystal;
  WORDS[resource.key] = () => resource.name;
  KNOWN.add(resource.key);
}
onState(() => nameResource(state.view?.resource));
/** The width of a row in units of its height, and its drawing at (x, y) with that height. */
export function rowOf(row, height, ink = "currentColor") {
  const text = height * 0.82;
  let at = 0;
  const drawn = [];
  for (const part of parts(row)) {
    for (const one of part) {
      if (KNOWN.has(one)) {
        drawn.push([one, at]);
        at += height * 1.02;
      } else {
        const wide = [...one].length * text * 0.62;
        drawn.push([s("text", { x: at + wide / 2, y: height * 0.8, "font-size": text, "font-weight": 800, "text-anchor": "middle", fill: ink }, one), null]);
        at += wide;
      }
    }
    at += height * 0.14;
  }
  const width = at - height * 0.14;
  return { width, at: (x, y) => s("svg", { x, y, width, height, viewBox: `0 0 ${width} ${height}`, overflow: "visible" }, drawn.map(([one, left]) => (left === null ? one : symbol(one, left, 0, height)))) };
}
/** A row in words. */
export function rowWords(row) {
  const list = (entries) =>
    Object.entries(entries || {})
      .map(([name, n]) => `${symbolWord(name)}${n ? `: ${n}` : ""}`)
      .join(", ");
  const said = [row.of && symbolWord(row.of), row.per && t("for each {what}", { what: list(row.per) }), list(row.pay)]
    .filter(Boolean)
    .join(", ");
  const comes = [list(row.gain), row.spare && t("without {what}", { what: list(row.spare) })].filter(Boolean).join(", ");
  return `${WHEN[row.when]?.() || ""}: ${said ? `${said} → ` : ""}${comes}`;
}
/** What each symbol of the market means. */
export const legend = () =>
  h(
    "details",
    { class: "legend" },
    h("summary", {}, t("What the symbols mean")),
    h(
      "ul",
      {},
      Object.keys(DRAWN).map((name) => h("li", {}, inlineSymbol(name), h("span", {}, symbolWord(name)))),
      h("li", {}, h("b", {}, "⌂"), h("span", {}, t("when it is built"))),
      h("li", {}, h("b", {}, "⚑"), h("span", {}, t("points at the end"))),
    ),
  );
