// What the rules made of the last act, with a picture of where: it stands on every page until something else is done.
import { h, put } from "/static/page/dom.js";
import { onRecord, state } from "/static/page/live.js";
import { pictured } from "/static/board/faces.js";
import { tileSvg } from "/static/board/tiles.js";

onRecord((record) => {
  // What was taken back, or replaced by the table as it lies, is no news any more.
  if (["undo", "overrule"].includes(record.kind)) put("news");
  const followed = record.followed || [];
  // Draws follow by themselves: they do not wipe out what a person did, unless they bring news of their own; nor does
  // what happened in secret, which is not said.
  const byItself = record.hidden || record.cause.kind === "draw";
  if (record.kind !== "event" || (byItself && !followed.length)) return;
  const told = [
    record.hidden ? null : h("p", {}, pictured(record.sentence)),
    h(
      "ul",
      {},
      followed.map((one) => h("li", {}, pictured(one))),
    ),
  ];
  put("news", followed.length ? h("div", { class: "news" }, place(record), h("div", {}, told)) : null);
});
/** The tile that the act was about as it lay before: the state that comes after the record has not come yet. */
function place(record) {
  const words = String(record.body?.text || "").split(" "),
    cell = (state.view?.cells || []).find((one) => words.includes(one.slot));
  return cell?.tile && cell.cubes ? h("div", { class: "small-picture" }, tileSvg(cell.tile, cell.cubes)) : null;
}
