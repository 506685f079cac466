// A short message over the page: at the edge where it hides least that can be tapped, gone with the next tap or Escape.
import { DOUBLE_TAP_MS, focusAgain, h, wayBack } from "/static/page/dom.js";

const READ_MS = 12000; // some thirty words, read slowly in a foreign language
const TAPPED = ":is(main, #banners) :is(button, a, input, select, summary, label, [role=button])";
let close = null;
/** Take the message away, if one is shown. */
export const closeToast = () => close?.();
/** Show `content`, read out at once by screen readers; buttons in it can be tapped, any other tap takes it away. */
export function showToast(...content) {
  closeToast();
  const box = h("div", { class: "toast", role: "alert" }, content),
    since = performance.now();
  let way = wayBack(document.activeElement); // empty while an act is on its way: then the focus comes back to its place
  // A tap beside it does what it would do anyway; the second of a double tap is none of its own.
  const tapped = (event) => {
    const own = box.contains(event.target) && event.target.closest("button");
    if (!own && performance.now() - since > DOUBLE_TAP_MS) closeToast();
  };
  // Whoever steps to it by keyboard, or reads the clause it names, is given the time.
  const isRead = () => box.contains(document.activeElement) || document.querySelector("dialog[open]");
  let waiting = 0;
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => (isRead() ? wait() : closeToast()), READ_MS);
  };
  const typed = (event) => {
    if (event.key === "Tab") wait();
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) closeToast();
  };
  const moved = (event) => {
    if (!way.length && !box.contains(event.target)) way = wayBack(event.target);
  };
  const listened = [["click", tapped], ["keydown", typed], ["focusin", moved]];
  close = () => {
    close = null;
    clearTimeout(waiting);
    listened.forEach(([name, listener]) => removeEventListener(name, listener, true));
    const had = box.contains(document.activeElement);
    box.remove();
    if (had) focusAgain(way);
  };
  wait();
  document.body.append(box);
  const below = hidden(box);
  box.classList.add("above");
  if (below <= hidden(box)) box.classList.remove("above");
  listened.forEach(([name, listener]) => addEventListener(name, listener, true));
}
/** How much that can be tapped lies under the box. */
function hidden(box) {
  const mine = box.getBoundingClientRect();
  return [...document.querySelectorAll(TAPPED)].filter((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    return width && top < mine.bottom && bottom > mine.top && left < mine.right && right > mine.left;
  }).length;
}
