// What was drawn by hand, told by picture: the theme first where there are many, then the tiles that differ. Which of
// two copies it was does not matter, so it is not asked. A whole deal is tapped in one go, in the order of the grid.
import { h } from "/static/page/dom.js";
import { change, nameOf, state, t } from "/static/page/live.js";
import { themeWord, tileSvg, tileWords } from "/static/board/tiles.js";

const MOST_BUTTONS = 12,
  AT_ONCE = 16, // so many tiles are taken in at a glance, without a theme
  MOST_TEXTS = 8; // of one request
let theme = null,
  queue = [],
  sending = false;

/** Record what was drawn. While a grid is dealt nobody waits for one tile to be recorded before the next is tapped. */
const tell = (...texts) => change("/api/play", { texts }, { several: Boolean(dealing()) });
/** Buttons for what can have been drawn; `show()` draws the page anew. */
export function drawnByHand(show) {
  const faces = state.view?.drawable || {},
    outcomes = (state.outcomes || []).filter((one) => !queue.includes(one.face));
  if (state.outcomes?.length && !state.outcomes.every((one) => faces[one.face])) return plainly(outcomes);
  if (!outcomes.length) return [];
  const looks = different(outcomes),
    themes = [...new Set(outcomes.map((one) => faces[one.face].theme))];
  if (!themes.includes(theme)) theme = null;
  const chosen = theme || (themes.length === 1 ? themes[0] : null),
    places = dealing();
  const pick = (one, taps) => {
    if (taps > 1) return; // the second of a double tap: another tile has come to lie under the finger
    if (!places) theme = null;
    queue.push(one.face);
    send(show);
    show();
  };
  return [
    h("p", {}, places ? nextPlace(places) : asked(chosen)),
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
    chosen || looks.length <= AT_ONCE
      ? h(
          "div",
          { class: "drawable", "data-key": "drawable" },
          looks.filter((one) => !chosen || faces[one.face].theme === chosen).map((one) =>
            tileButton(
              faces[one.face],
              one.face, // its text tells the place too, so it is another one after each draw
              (event) => pick(one, event.detail),
              one.placed ? null : h("span", { class: "small" }, t("cannot be placed now")),
            ),
          ),
        )
      : null,
  ];
}
let wrongPlace = null;
/** The tile that was told for this place was another one: ask which, then everybody. */
export function correctAt(slot, show) {
  const cell = state.view?.cells?.find((one) => one.slot === slot);
  wrongPlace = cell?.tile && dealing() && wrongPlace !== slot && !queue.length ? slot : null;
  show();
}
/** What can lie at the place that was told wrong: what is still drawn from, and what was told after it. */
export function correction(show) {
  const cells = state.view?.cells || [],
    at = cells.findIndex((cell) => cell.slot === wrongPlace);
  if (at < 0 || !cells[at].tile || !dealing()) return null;
  const later = cells.slice(at + 1).flatMap((cell) => (cell.tile ? [cell.tile] : []));
  const tiles = [...Object.values(state.view.drawable || {}), ...later],
    looks = new Map(tiles.map((tile) => [JSON.stringify({ ...tile, id: "" }), tile]));
  looks.delete(JSON.stringify({ ...cells[at].tile, id: "" }));
  const pick = async (face) => {
    const slot = wrongPlace;
    wrongPlace = null;
    await change("/api/draw/correct", { slot, face });
    show();
  };
  return h(
    "div",
    { class: "alert reminder" },
    h("p", {}, t("Which tile lies at {place} really?", { place: nameOf(wrongPlace) })),
    h("div", { class: "drawable" }, [...looks.values()].map((tile) => tileButton(tile, `correct-${tile.id}`, () => pick(tile.id)))),
    h("button", { type: "button", "data-key": "no-correction", onclick: () => correctAt(wrongPlace, show) }, t("Cancel")),
  );
}
const tileButton = (tile, key, onclick, ...more) =>
  h("button", { type: "button", class: "face", "data-key": key, "aria-label": tileWords(tile), onclick }, tileSvg(tile), more);
const asked = (chosen) => (chosen ? t("Tap the tile that was drawn.") : t("What was drawn by hand? Tap its theme."));
/** The empty places of the grid in their order while it is dealt, or null. */
function dealing() {
  if (state.view?.phase !== "deal") return null;
  return state.view.cells.filter((cell) => !cell.tile).map((cell) => cell.slot);
}
function nextPlace(places) {
  const outcomes = state.outcomes || [],
    untold = queue.filter((face) => outcomes.some((one) => one.face === face)).length;
  const place = places[untold];
  const all = state.view.cells.length;
  if (!place) return "";
  return t("Tap the tiles in the order of the grid. Next: {place} ({n} of {all}).", {
    place: nameOf(place),
    n: all - places.length + untold + 1,
    all,
  });
}
/** Tell what was tapped, in its order. */
async function send(show) {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const places = dealing(),
      now = state.outcomes || [],
      faces = places ? queue.slice(0, Math.min(MOST_TEXTS, places.length)) : queue.slice(0, 1);
    const texts = faces.map((face, i) => {
      const one = now.find((other) => other.face === face);
      return one && places ? one.text.replace(one.slot, places[i]) : one?.text;
    });
    const answer = texts.every(Boolean) && (await tell(...texts));
    if (!answer) {
      queue = [];
      break;
    }
    while (state.number < answer.number) await new Promise((go) => setTimeout(go, 20));
    queue = queue.slice(faces.length);
    if (!dealing()) queue = [];
  }
  sending = false;
  show();
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
function plainly(outcomes) {
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
