// A short message over the page: at the edge where it hides least that can be tapped, and gone with the next tap.
import { DOUBLE_TAP_MS, h } from "/static/page/dom.js";

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
  // A tap beside it does what it would do anyway; the second of a double tap is none of its own.
  const tapped = (event) => {
    const own = box.contains(event.target) && event.target.closest("button");
    if (!own && performance.now() - since > DOUBLE_TAP_MS) closeToast();
  };
  const waiting = setTimeout(closeToast, READ_MS);
  close = () => {
    close = null;
    clearTimeout(waiting);
    removeEventListener("click", tapped, true);
    box.remove();
  };
  document.body.append(box);
  const below = hidden(box);
  box.classList.add("above");
  if (below <= hidden(box)) box.classList.remove("above");
  addEventListener("click", tapped, true);
}
/** How much that can be tapped lies under the box. */
function hidden(box) {
  const mine = box.getBoundingClientRect();
  return [...document.querySelectorAll(TAPPED)].filter((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    return width && top < mine.bottom && bottom > mine.top && left < mine.right && right > mine.left;
  }).length;
}
