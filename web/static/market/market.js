// A market drawn from a game's view: three rows of cards, workers in the gaps between them, the events beside them.
import { s } from "/static/page/dom.js";
import { listedSeats, nameOf, t } from "/static/page/live.js";
import { card, cardWords } from "/static/market/cards.js";
import { cube } from "/static/board/tiles.js";

// Units of the drawing: `card` and `gap` widths and heights, `letters` the height of the smallest ones. A phone shows
// narrow cards, a screen wide ones, so that the letters are as large as the device allows.
const WIDE = { card: [178, 176], gap: [56, 46], letters: 18.5, events: "beside" };
const NARROW = { card: [112, 140], gap: [37, 36], letters: 14, events: "above" };
const narrow = window.matchMedia("(max-width: 700px)");
const EDGE = 6;

const pressed = (act) => ({
  role: "button",
  tabindex: 0,
  onclick: act,
  onkeydown: (event) => {
    if (["Enter", " "].includes(event.key)) {
      event.preventDefault();
      act();
    }
  },
});
/** A place of the drawing that can be tapped and marked. */
export function place(slot, label, rect, drawn, { tap, marked, wrong, can }) {
  const state = ["marked", "wrong", "can"].filter((_, i) => [marked, wrong, can][i].has(slot)).join(" ");
  const act = tap ? { ...pressed(() => tap(slot)), "aria-pressed": String(marked.has(slot)) } : { role: "img" };
  return s(
    "g",
    { class: `place ${state}`, "data-key": slot, "aria-label": wrong.has(slot) ? `${label}; ${t("look here")}` : label, ...act },
    drawn,
    s("rect", { class: "rim", x: rect[0], y: rect[1], width: rect[2], height: rect[3], rx: 8 }),
  );
}
/** Workers as pieces with letter and pattern, as large as fits into the rectangle. */
export function workers(letters, [x, y, width, height], most = 34) {
  if (!letters.length) return null;
  let columns = 1,
    size = 0;
  for (let n = 1; n <= letters.length; n++) {
    const fits = Math.min(most, width / n, height / Math.ceil(letters.length / n));
    if (fits > size) [columns, size] = [n, fits];
  }
  const rows = Math.ceil(letters.length / columns);
  return letters.map((letter, i) =>
    cube(
      letter,
      x + (width - columns * size) / 2 + (i % columns) * size + 1,
      y + (height - rows * size) / 2 + Math.floor(i / columns) * size + 1,
      size - 2,
    ),
  );
}

export function marketBoard(view, options) {
  const form = narrow.matches ? NARROW : WIDE,
    [w, hgt] = form.card,
    [gx, gy] = form.gap;
  const beside = form.events === "beside",
    wide = view.columns * w + (view.columns - 1) * gx,
    high = view.rows * hgt + (view.rows - 1) * gy;
  const eventHigh = beside ? (high - gy) / 2 : hgt * 0.8,
    eventWide = beside ? w * 0.94 : (wide - gx) / 2;
  const left = beside ? eventWide + gx * 0.5 : 0,
    top = beside ? 0 : eventHigh + gy * 0.7;
  const at = (slot) => {
    const [, row, column] = slot.match(/^r(\d+)c(\d+)$/u).map(Number);
    return [left + (column - 1) * (w + gx), top + (row - 1) * (hgt + gy)];
  };
  const cards = view.cells.map((cell, i) => {
    const [x, y] = at(cell.slot);
    // Gaps are told by the numbers of the places beside them, counted as one reads.
    const number = s("text", { x: x + 7, y: y + hgt - 7, "font-size": form.letters, class: "number", "aria-hidden": "true" }, String(i + 1));
    const empty = s("rect", { x: x + 1, y: y + 1, width: w - 2, height: hgt - 2, rx: 8, class: "empty" });
    return place(
      cell.slot,
      `${nameOf(cell.slot)}: ${cell.card ? cardWords(cell.card, cell.tokens) : t("empty")}`,
      [x, y, w, hgt],
      [cell.card ? card(cell.card, x, y, w, hgt, form.letters, { tokens: cell.tokens }) : empty, number],
      options,
    );
  });
  const gaps = view.gaps.map((gap) => {
    const [a, b] = gap.cards.map(at),
      upright = a[1] === b[1];
    const rect = upright ? [a[0] + w + 2, a[1] + 6, gx - 4, hgt - 12] : [a[0] + 10, a[1] + hgt + 2, w - 20, gy - 4];
    const names = gap.cards.map((slot) => view.cells.find((cell) => cell.slot === slot)).map((cell) => cell.card?.title || nameOf(cell.slot));
    const label = t("between {a} and {b}: {workers}", { a: names[0], b: names[1], workers: listedSeats(gap.workers) || t("nobody") });
    const ground = s("rect", { x: rect[0], y: rect[1], width: rect[2], height: rect[3], rx: 7, class: "gap" });
    return place(gap.slot, label, rect, [ground, workers(gap.workers, rect)], options);
  });
  const events = ["event", "future"].map((slot, i) => {
    const x = beside ? 0 : i * (eventWide + gx),
      y = beside ? i * (eventHigh + gy) : 0,
      one = view[slot],
      head = form.letters * 1.25;
    const title = s("text", { x: x + eventWide / 2, y: y + form.letters * 0.95, "font-size": form.letters, class: "title" }, slot === "event" ? t("This turn") : t("Next turn"));
    const drawn = one
      ? card({ ...one, title: one.title }, x, y + head, eventWide, eventHigh - head, form.letters, { tokens: one.token ? [one.token] : [] })
      : s("rect", { x, y: y + head, width: eventWide, height: eventHigh - head, rx: 8, class: "empty" });
    const label = `${slot === "event" ? t("This turn") : t("Next turn")}: ${one ? cardWords(one, one.token ? [one.token] : []) : t("no event")}`;
    return place(slot, label, [x, y + head, eventWide, eventHigh - head], [title, drawn], options);
  });
  const box = [-EDGE, -EDGE, left + wide + 2 * EDGE, top + high + 2 * EDGE];
  return s("svg", { class: "market", viewBox: box.join(" "), role: "group", "aria-label": t("Market") }, events, cards, gaps);
}
