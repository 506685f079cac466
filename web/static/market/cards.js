// A card of a market drawn for two metres: name, price, points, effects in symbols, tokens.
import { s } from "/static/page/dom.js";
import { t } from "/static/page/live.js";
import { rowOf, rowWords, symbol, symbolWord } from "/static/market/symbols.js";

const GROUND = {
  building: ["#f3e7cf", "#5b4015"],
  character: ["#dde9f6", "#173e63"],
  technique: ["#e6f1dc", "#28501a"],
  event: ["#efe2f4", "#4b2560"],
};
const SORTS = {
  building: () => t("building"),
  character: () => t("character"),
  technique: () => t("technique"),
  event: () => t("event"),
};
const LETTER = 0.68; // width by height of a bold letter, on average, in the widest font that pages fall back to
export const sortWord = (sort) => SORTS[sort]?.() || "";
/** The name as it is printed: what tells two pictures apart in words is seen in the picture. */
export const printedName = (title) => title.replace(/\s*\([^)]*\)$/u, "");

function wrapped(text, most) {
  const lines = [""];
  for (const word of text.split(/(?<=-)|\s+/u)) {
    const last = lines.at(-1),
      glue = last && !last.endsWith("-") ? " " : "";
    if (last && (last + glue + word).length > most) lines.push(word);
    else lines[lines.length - 1] = last + glue + word;
  }
  return lines;
}
const text = (x, y, size, fill, what, more = {}) =>
  s("text", { x, y, "font-size": size, fill, "font-weight": 700, "text-anchor": "middle", ...more }, what);

/** All that a card says, in words. */
export function cardWords(card, tokens = []) {
  const said = [printedName(card.title)];
  if (sortWord(card.sort)) said.push(sortWord(card.sort));
  if (card.price !== undefined) said.push(t("price £{n}", { n: card.price }));
  if (card.points) said.push(t("points: {n}", { n: card.points }));
  said.push(...(card.symbols || []).map(symbolWord), ...(card.effects || []).map(rowWords));
  if (tokens.length) said.push(t("tokens: {values}", { values: tokens.join(", ") }));
  if (card.inclined) said.push(t("used"));
  return said.join("; ");
}
/** Tokens with their values in a row whose right end is at x. */
export const tokenRow = (values, x, y, size) =>
  values.map((value, i) =>
    s(
      "svg",
      { x: x - (values.length - i) * (size + 2), y, width: size, height: size, viewBox: "0 0 20 20" },
      s("circle", { cx: 10, cy: 10, r: 9, fill: "#fff", stroke: "#1b1b1b", "stroke-width": 1.6 }),
      text(10, 16, 17, "#1b1b1b", String(value)),
    ),
  );
/** The card within width x height at (x, y). `unit` is the height of its smallest letters. */
export function card(one, x, y, width, height, unit, { tokens = [], price = true, name: named = true } = {}) {
  const sort = one.sort || "event",
    [ground, ink] = GROUND[sort],
    pad = unit * 0.4;
  const corner = unit * 1.5;
  const free = width - 2 * pad,
    crowned = (price && one.price !== undefined) || Boolean(one.points) || Boolean(one.symbols?.length);
  const name = named ? wrapped(printedName(one.title), Math.max(6, Math.floor(free / (unit * 0.56)))).slice(0, 3) : [];
  const longest = Math.max(1, ...name.map((line) => line.length)) * unit * LETTER,
    size = Math.min(unit, (unit * free) / longest);
  const aside = named || !crowned ? 0 : corner; // without a name points and emblems stand at the right of the effects
  const crown = crowned ? corner + pad * 0.8 : pad * 0.8;
  const head = named ? crown : 0;
  const rows = one.effects || [],
    top = head + name.length * size * 1.12 + pad * 0.5,
    bottom = height - pad - (tokens.length ? unit * 1.35 : 0);
  const tall = Math.min(unit * 1.9, (bottom - top) / Math.max(1, rows.length));
  const drawnRows = rows.map((row) => {
    const plain = rowOf(row, tall * 0.86, ink);
    const room = free - aside;
    return plain.width > room ? rowOf(row, (tall * 0.86 * room) / plain.width, ink) : plain;
  });
  const emblems = one.symbols || [],
    under = one.points ? pad * 0.4 + corner * 1.2 : pad * 0.4, // the star of the points
    each = Math.min(corner * 0.85, (height - pad - under) / Math.max(1, emblems.length));
  return s(
    "svg",
    { x, y, width, height, viewBox: `0 0 ${width} ${height}` },
    s("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: unit * 0.5, fill: ground, stroke: ink, "stroke-width": one.inclined ? 1 : 2, "stroke-dasharray": one.inclined ? "5 4" : null }),
    price && one.price !== undefined
      ? [symbol("pounds", pad * 0.6, pad * 0.6, corner), s("circle", { cx: pad * 0.6 + corner / 2, cy: pad * 0.6 + corner / 2, r: corner * 0.36, fill: "#f3cf57" }), text(pad * 0.6 + corner / 2, pad * 0.6 + corner * 0.75, corner * 0.7, "#1b1b1b", String(one.price))]
      : null,
    one.points ? [symbol("points", width - corner * 1.2 - pad * 0.4, pad * 0.4, corner * 1.2), text(width - corner * 0.6 - pad * 0.4, pad * 0.4 + corner * 0.85, corner * 0.66, "#1b1b1b", String(one.points))] : null,
    name.map((line, i) => text(width / 2, head + size * (0.85 + i * 1.12), size, ink, line)),
    drawnRows.map((row, i) => row.at((width - aside - row.width) / 2, top + (bottom - top - tall * rows.length) / 2 + i * tall)),
    emblems.map((name, i) => named
        ? symbol(name, width / 2 + (i - emblems.length / 2) * unit * 1.4, pad * 0.8, unit * 1.3)
        : symbol(name, width - corner * 0.9 - pad * 0.6, height - pad - (i + 1) * each, each * 0.94)),
    tokenRow(tokens, width - pad, height - pad - unit * 1.25, unit * 1.25),
    one.inclined ? s("path", { d: `M${pad} ${height - pad} L${width - pad} ${pad}`, stroke: ink, "stroke-width": 2, opacity: 0.35 }) : null,
  );
}
