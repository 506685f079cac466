// What was drawn by hand, told by picture: the theme first, then the tiles of it that differ. Which of two copies it
// was does not matter, so it is not asked.
import { h } from "/static/dom.js";
import { state, t } from "/static/live.js";
import { themeWord, tileSvg, tileWords } from "/static/tiles.js";

const MOST_BUTTONS = 12;
let theme = null;

/** Buttons for what can have been drawn; `tell(text)` records it, `show()` draws the page anew. */
export function drawnByHand(tell, show) {
  const faces = state.view?.drawable || {},
    outcomes = state.outcomes || [];
  if (!outcomes.length || !outcomes.every((one) => faces[one.face])) return plainly(outcomes, tell);
  const themes = [...new Set(outcomes.map((one) => faces[one.face].theme))];
  if (!themes.includes(theme)) theme = null;
  const chosen = theme || (themes.length === 1 ? themes[0] : null);
  const pick = (one) => {
    theme = null;
    tell(one.text);
  };
  return [
    h("p", {}, chosen ? t("Tap the tile that was drawn.") : t("What was drawn by hand? Tap its theme.")),
    h(
      "div",
      { class: "row", role: "group", "aria-label": t("Theme") },
      themes.map((one) =>
        h(
          "button",
          {
            type: "button",
            class: `theme ${one}`,
            "aria-pressed": String(one === chosen),
            "data-key": `theme-${one}`,
            onclick: () => {
              theme = one;
              show();
            },
          },
          themeWord(one),
        ),
      ),
    ),
    chosen
      ? h(
          "div",
          { class: "drawable" },
          different(outcomes.filter((one) => faces[one.face].theme === chosen)).map((one) =>
            h(
              "button",
              {
                type: "button",
                class: "face",
                "data-key": one.text,
                "aria-label": tileWords(faces[one.face]),
                onclick: () => pick(one),
              },
              tileSvg(faces[one.face]),
              one.placed ? null : h("span", { class: "small" }, t("cannot be placed now")),
            ),
          ),
        )
      : null,
  ];
}
/** One outcome for each tile that looks different. */
function different(outcomes) {
  const seen = new Map();
  for (const one of outcomes) {
    const look = JSON.stringify({ ...state.view.drawable[one.face], id: "" });
    if (!seen.has(look)) seen.set(look, one);
  }
  return [...seen.values()];
}
/** What is no tile: few are buttons, many a list. */
function plainly(outcomes, tell) {
  if (outcomes.length <= MOST_BUTTONS)
    return outcomes.map((one) =>
      h(
        "button",
        { type: "button", class: "primary", "data-draw": "", "data-key": one.text, onclick: () => tell(one.text) },
        one.sentence,
      ),
    );
  const list = h(
    "select",
    { id: "drawn", style: "flex:1" },
    outcomes.map((one) => h("option", { value: one.text }, one.sentence)),
  );
  return [
    h("label", { for: "drawn" }, t("What was drawn by hand?")),
    h(
      "div",
      { class: "row" },
      list,
      h(
        "button",
        { type: "button", class: "primary", "data-key": "drawn", onclick: () => tell(list.value) },
        t("That was drawn"),
      ),
    ),
  ];
}
