// The rules beside the board: every clause of the game, found by a word or its number.
import { h } from "/static/page/dom.js";
import { look, state, t } from "/static/page/live.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const clauseCard = (clause) =>
  h(
    "li",
    {},
    h("h3", {}, `${clause.id} ${clause.title}`, clause.source === "rulebook" ? null : h("span", { class: "chip wait" }, t("house ruling, not in the rulebook"))),
    h("p", {}, clause.text),
  );
/** `button` opens and closes the panel. */
export function rulesPanel(button) {
  if (!button) return;
  button.hidden = !state.session;
  let panel = null;
  const close = () => {
    panel.hidden = true;
    document.body.classList.remove("with-rules");
    button.setAttribute("aria-expanded", "false");
    button.focus();
  };
  async function open() {
    const data = await look("/api/clauses");
    if (!data) return;
    const list = h("ul", { class: "clauses", tabindex: 0, "aria-label": t("Rules") }),
      field = h("input", { id: "rules-word", type: "search", autocomplete: "off" }),
      found = h("p", { class: "soft small", "aria-live": "polite" });
    const show = () => {
      const words = plain(field.value).split(/\s+/u).filter(Boolean);
      const fit = data.clauses.filter((clause) => {
        const text = plain(`${clause.id} ${clause.title} ${clause.text}`);
        return words.every((word) => text.includes(word));
      });
      found.textContent = t("{n} clauses", { n: fit.length });
      list.replaceChildren(...fit.map(clauseCard));
    };
    field.addEventListener("input", show);
    panel = h(
      "aside",
      { id: "rules-panel", "aria-label": t("Rules") },
      h("div", { class: "row spread" }, h("h2", {}, t("Rules")), h("button", { type: "button", onclick: close }, t("Close"))),
      h("label", { for: "rules-word" }, t("A word or the number of a clause")),
      field,
      found,
      list,
    );
    panel.addEventListener("keydown", (event) => event.key === "Escape" && close());
    document.body.append(panel);
    show();
  }
  button.addEventListener("click", async () => {
    if (panel && !panel.hidden) return close();
    if (panel) panel.hidden = false;
    else await open();
    if (!panel) return;
    document.body.classList.add("with-rules");
    button.setAttribute("aria-expanded", "true");
    panel.querySelector("input").focus();
  });
}
