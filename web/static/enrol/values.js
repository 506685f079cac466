// What a field of a piece is, drawn: so that it is looked at and tapped, never typed as a code.
import { h, s } from "/static/page/dom.js";
import { t } from "/static/page/live.js";
import { card, cardWords, sortWord } from "/static/market/cards.js";

/** The address of a piece's picture, or of that of one of its spaces. */
export const pictureOf = (course, piece, part = null) =>
  `/api/enrol/pieces/${piece.number}?game=${encodeURIComponent(course.game)}&v=${encodeURIComponent(piece.version)}` +
  (part === null ? "" : `&part=${part}`);
export const valueOf = (piece, key) => piece.fields[key]?.value ?? null;
/** Whether a piece has a field: what it hangs on is there, and has such a value. */
export const applies = (course, field, piece) =>
  !field.only ||
  (applies(course, course.form.fields.find((one) => one.key === field.only.key), piece) &&
    field.only.values.includes(valueOf(piece, field.only.key)));
/** The fields of a piece that are read and asked; its outline is told by the finding of it. */
export const fieldsOf = (course, piece) =>
  course.form.fields.filter((field) => field.shown !== "outline" && applies(course, field, piece));
/** What is ticked on several pieces at once: there or not there. */
export const isTicked = (field) => field.shown === "mark" || field.shown === "icon";
/** Whether no face tells it, so that it is asked once of all that lie there. */
export const isOnBack = (field) => field.shown === "back";
const labelOf = (field, value) => field.values.find((one) => one.value === value)?.label ?? value;

/** The picture of a piece or space that surely has this value (and, for a symbol, is of the same group). */
function sampleOf(course, field, value, piece) {
  const same = (one) => !field.of || !piece || valueOf(one, field.of) === valueOf(piece, field.of);
  for (const alike of course.form.fields.filter((one) => one.base === field.base)) {
    const known = (one) => one.fields[alike.key]?.told || one.fields[alike.key]?.sure;
    const here = (one) => alike.key === field.key && one === piece;
    const found = course.pieces.find(
      (one) => valueOf(one, alike.key) === value && known(one) && same(one) && !here(one) && applies(course, alike, one));
    if (found) return pictureOf(course, found, alike.part);
  }
  return null;
}
const icons = (count, kind) => Array.from({ length: count }, () => h("span", { class: `icon ${kind}` }));
export const listOf = (value) => (value || "").split(",").filter(Boolean);

/** The value of a field in words, for who hears it. */
export function wordsOf(field, value) {
  if (value === null) return t("not read");
  const mark = field.printed || field.title;
  if (field.written === "flag") return value === "yes" ? field.printed || t("yes") : t("no {mark}", { mark });
  if (field.written === "list") return listOf(value).map((one) => labelOf(field, one)).join(", ") || t("nothing");
  const sketch = sketchOf(field, value);
  return sketch ? cardWords(sketch) : labelOf(field, value);
}

const sketchOf = (field, value) => field.sketches[field.values.findIndex((one) => one.value === value)];
const SKETCH = { width: 126, height: 92, letters: 13 };
/** A value drawn as the card that it stands for: its name and what it does. */
function sketched(sketch) {
  const { width, height, letters } = SKETCH;
  return s("svg", { class: "sketch", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, card(sketch, 0, 0, width, height, letters, { price: false }));
}
/** The sort of the card that a value stands for, as a heading; "" for none. */
export const sortOf = (field, value) => {
  const sketch = sketchOf(field, value);
  return sketch?.sort ? sortWord(sketch.sort) : "";
};

/** A value among those to be chosen from: with the sketch of what it stands for. */
export function offered(course, field, value, piece) {
  const sketch = sketchOf(field, value);
  if (!sketch) return drawn(course, field, value, piece);
  const sample = sampleOf(course, field, value, piece);
  return h("span", { class: "value sketched" }, sketched(sketch), sample ? h("img", { class: "sample", src: sample, alt: "" }) : null);
}

/** A value as a small drawing. */
export function drawn(course, field, value, piece) {
  const inside = () => {
    if (value === null) return h("span", { class: "figure" }, "?");
    if (field.shown === "figure") return h("span", { class: "figure" }, value);
    if (field.shown === "icon count") return [icons(Number(value), "square"), h("span", { class: "small" }, value)];
    if (field.shown === "icon colours") {
      const parts = listOf(value);
      return parts.length ? parts.map((one) => icons(1, `disc ${one}`)) : h("span", { class: "soft small" }, t("nothing"));
    }
    if (isTicked(field)) {
      const mark = field.printed || field.title;
      if (value !== "yes") return h("span", { class: "soft small" }, t("no {mark}", { mark }));
      return h("span", { class: field.printed ? "figure" : "icon-mark" }, mark);
    }
    if (field.shown === "ground")
      return [h("span", { class: `swatch ${value}` }), h("span", { class: "small" }, labelOf(field, value))];
    if (isOnBack(field) || field.sketches.length) return h("span", { class: "small" }, labelOf(field, value));
    const sample = sampleOf(course, field, value, piece);
    // A picture tells an emblem better than its number; a value with a name keeps it.
    if (sample) return [h("img", { class: "sample", src: sample, alt: "" }), field.part === null && field.shown === "emblem" ? "" : h("span", { class: "small" }, labelOf(field, value))];
    return h("span", { class: "small" }, field.shown === "emblem" ? t("symbol no. {n}", { n: value }) : labelOf(field, value));
  };
  return h("span", { class: "value" }, inside());
}
