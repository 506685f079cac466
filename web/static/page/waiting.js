// What was tapped is on its way: said as soon as the answer takes longer than people wait without a sign.
import { h } from "/static/page/dom.js";

const SIGN_MS = 700;
const sign = h("div", { class: "on-its-way", "aria-hidden": "true" });
document.body.append(sign);
let waiting = 0;
/** The outcome of `answer`; `text` lies over the page while it is long in coming. */
export async function saidWhile(text, answer) {
  waiting += 1;
  const timer = setTimeout(() => {
    sign.textContent = text;
    sign.classList.add("on");
  }, SIGN_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    waiting -= 1;
    if (!waiting) sign.classList.remove("on");
  }
}
