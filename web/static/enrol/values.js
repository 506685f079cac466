// What a field of a piece is, drawn: so that it is looked at and tapped, never typed as a code.
import { h } from "/static/dom.js";
import { t } from "/static/live.js";

export const pictureOf = (course, piece) =>
  `/api/enrol/pieces/${piece.number}?game=${encodeURIComponent(course.game)}&v=${encodeURIComponent(piece.version)}`;
export const valueOf = (piece, key) => piece.fields[key]?.value ?? null;
export const applies = (field, piece) => !field.only || field.only.values.includes(valueOf(piece, field.only.key));
const labelOf = (field, value) => field.values.find((one) => one.value === value)?.label ?? value;

/** A piece that surely has this value (and, for a symbol, is of the same group), to show what is meant. */
function sampleOf(course, field, value, piece) {
  const same = (one) => !field.of || !piece || valueOf(one, field.of) === valueOf(piece, field.of);
  const known = (one) => one.fields[field.key]?.told || one.fields[field.key]?.sure;
  return course.pieces.find((one) => valueOf(one, field.key) === value && known(one) && same(one) && one !== piece);
}
const icons = (count, kind) => Array.from({ length: count }, () => h("span", { class: `icon ${kind}` }));
export const listOf = (value) => (value || "").split(",").filter(Boolean);

/** The value of a field in words, for who hears it. */
export function wordsOf(field, value) {
  if (value === null) return t("not read");
  if (field.written === "flag") return value === "yes" ? field.printed || t("yes") : t("no {mark}", { mark: field.printed });
  if (field.written === "list") return listOf(value).map((one) => labelOf(field, one)).join(", ") || t("nothing");
  return labelOf(field, value);
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
    if (field.shown === "mark")
      return h("span", { class: value === "yes" ? "figure" : "soft small" }, value === "yes" ? field.printed || "✓" : t("no {mark}", { mark: field.printed }));
    if (field.shown === "ground")
      return [h("span", { class: `swatch ${value}` }), h("span", { class: "small" }, labelOf(field, value))];
    const sample = sampleOf(course, field, value, piece);
    if (sample) return h("img", { class: "sample", src: pictureOf(course, sample), alt: "" });
    return h("span", { class: "small" }, field.shown === "emblem" ? t("symbol no. {n}", { n: value }) : labelOf(field, value));
  };
  return h("span", { class: "value" }, inside());
}
