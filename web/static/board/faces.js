// Faces of the box that a game is played with, by that box's own pictures: a number says nothing to who has the tile.
import { h, s } from "/static/page/dom.js";
import { boot, state } from "/static/page/live.js";

/** Whether the box has a picture of this face. */
export const hasPicture = (face) => Boolean(face && boot.own_faces?.includes(face));
/** Where that picture is. */
export const pictureOf = (face) => `/api/art/${encodeURIComponent(face)}?of=${encodeURIComponent(boot.own_art)}`;

/** Name of a face in this page's language -> a face of that name, and whether it is the only one. */
function named() {
  const found = new Map();
  for (const face of boot.own_faces || []) {
    const name = state.names?.[face];
    if (name) found.set(name, { face: found.get(name)?.face || face, only: !found.has(name) });
  }
  return found;
}
// Tiles of one name differ around their middle: what is shown of them is what they share.
const WHOLE = "0 0 100 100",
  MIDDLE = "15 15 70 70";
const small = ({ face, only }) =>
  s("svg", { class: "in-text", viewBox: only ? WHOLE : MIDDLE, "aria-hidden": "true" }, s("image", { href: pictureOf(face), width: 100, height: 100 }));

/** A sentence with the picture of each face of the own box before its name; the sentence alone in any other game. */
export function pictured(sentence) {
  const names = named(),
    known = [...names.keys()].sort((a, b) => b.length - a.length);
  if (!known.length) return sentence;
  const any = new RegExp(`(${known.map((name) => name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")).join("|")})`, "u");
  return String(sentence)
    .split(any)
    .map((part) => (names.has(part) ? h("span", { class: "pictured" }, small(names.get(part)), part) : part));
}
