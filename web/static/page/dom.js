// Elements without markup in strings: texts from the table can never become code.
const SVG = "http://www.w3.org/2000/svg";
export const DOUBLE_TAP_MS = 350; // Android takes two taps within 300 ms for one double tap
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);
/** Where `element` is found again when its page is drawn anew: itself, else the group around it, the nearest first. */
export function wayBack(element) {
  const way = [];
  for (let one = element; one && one !== document.body && way.length < 4; one = one.parentElement) {
    if (one.dataset.key) way.push(`[data-key="${CSS.escape(one.dataset.key)}"]`);
    else if (one.id) way.push(`#${CSS.escape(one.id)}`);
  }
  return way;
}
/** Give the focus back; to a group when the thing is gone, so that Tab goes on there and not at the top of the page. */
export function focusAgain(way) {
  const found = way.map((one) => document.querySelector(one)).find((one) => one && !one.disabled);
  if (!found) return;
  if (found.tabIndex < 0) found.tabIndex = -1;
  found.focus({ preventScroll: found.tabIndex < 0 });
}
// What is drawn anew under a finger would swallow the tap: the browser makes none of a press and a release on two elements.
const LONGEST_PRESS_MS = 1000; // a release that never comes (a dialogue took it) keeps no page as it was
const pressed = new Map(),
  waiting = new Map();
addEventListener("pointerdown", (event) => pressed.set(event.pointerId, { at: event.target, since: performance.now() }), true);
for (const end of ["pointerup", "pointercancel"])
  addEventListener(
    end,
    (event) => {
      pressed.delete(event.pointerId);
      setTimeout(drawWaiting); // the click comes first, and is of what was pressed
    },
    true,
  );
const isPressed = (place) =>
  [...pressed.values()].some(({ at, since }) => performance.now() - since < LONGEST_PRESS_MS && place.contains(at));
function drawWaiting() {
  for (const [id, [inside, draw]] of [...waiting]) whenReleased(id, draw, inside);
}
/** Draw what is at `id` as soon as no finger is down inside `inside`; of several drawings the last is drawn. What lies above
other things waits for every finger of the page: it would move them from under it. */
export function whenReleased(id, draw, inside = document) {
  waiting.delete(id);
  if (!isPressed(inside)) {
    draw();
    return;
  }
  waiting.set(id, [inside, draw]);
  setTimeout(drawWaiting, LONGEST_PRESS_MS);
}
/** Put `children` into the element `id`, if the page has it, as soon as no finger is down in it; the focus stays, see
`focusAgain`. */
export function put(id, ...children) {
  const draw = () => {
    const place = byId(id);
    const way = place?.contains(document.activeElement) ? wayBack(document.activeElement) : [];
    place?.replaceChildren(...children.flat(Infinity).filter(Boolean));
    focusAgain(way);
  };
  if (byId(id)) whenReleased(id, draw, byId(id));
}
