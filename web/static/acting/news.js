// What the rules made of the last act, with a picture of where: it stands on every page until something else is done.
import { h, put } from "/static/page/dom.js";
import { onRecord, state } from "/static/page/live.js";
import { pictured } from "/static/board/faces.js";
import { tileSvg } from "/static/board/tiles.js";

let card = null; // of what a person did last, if that is news
onRecord((record) => {
  // What was taken back, or replaced by the table as it lies, is no news any more.
  if (["undo", "overrule"].includes(record.kind)) show(null);
  const followed = (record.followed || []).map((one) => h("li", {}, pictured(one)));
  // Draws follow by themselves: they do not wipe out what a person did, and news of their own stand below it; nor does
  // what happened in secret, which is not said.
  const byItself = record.hidden || record.cause.kind === "draw";
  if (record.kind !== "event" || (byItself && !followed.length)) return;
  if (byItself && card) {
    card.querySelector("ul").append(...followed);
    return;
  }
  const said = record.hidden ? null : h("p", {}, pictured(record.sentence));
  const made = followed.length ? h("div", { class: "news" }, place(record), h("div", {}, said, h("ul", {}, followed))) : null;
  show(made, byItself);
});
function show(made, byItself = false) {
  card = byItself ? null : made;
  put("news", made);
}
/** The tile that the act was about as it lay before: the state that comes after the record has not come yet. */
function place(record) {
  const words = String(record.body?.text || "").split(" "),
    cell = (state.view?.cells || []).find((one) => words.includes(one.slot));
  return cell?.tile && cell.cubes ? h("div", { class: "small-picture" }, tileSvg(cell.tile, cell.cubes)) : null;
}
