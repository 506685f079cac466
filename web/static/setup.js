// The set-up: game, players, variants, who draws; devices and calibration with their health and the next thing to do.
import { byId, h, put, whenReleased } from "/static/page/dom.js";
import { pageCode } from "/static/joining/codes.js";
import { loadBox } from "/static/enrol/load_box.js";
import { boot, change, look, onDevices, showPicture, t } from "/static/page/live.js";
import { inkOf } from "/static/board/tiles.js";
import { showSessions } from "/static/finish/sessions.js";

let games = (await look("/api/games"))?.games || [];
let seats = [];
let game = null;
put(
  "game",
  games.map((one) => h("option", { value: one.name }, one.title)),
);
const wanted = new URLSearchParams(location.search).get("game"); // of the box that was learnt or loaded just now
if (games.some((one) => one.name === wanted)) byId("game").value = wanted;

const COLOURS = {
  purple: () => t("purple"),
  gray: () => t("gray"),
  pink: () => t("pink"),
  white: () => t("white"),
  black: () => t("black"),
  red: () => t("red"),
  blue: () => t("blue"),
  green: () => t("green"),
  yellow: () => t("yellow"),
  orange: () => t("orange"),
  brown: () => t("brown"),
};
const colourWord = (colour) => COLOURS[colour]?.() || colour;
const EDITIONS = { "your-box": () => t("the box that was learnt"), sample: () => t("sample edition") };
const editionWord = (name) => EDITIONS[name]?.() || name;

function choose() {
  game = games.find((one) => one.name === byId("game").value);
  if (!game) return;
  loadedText = "";
  seats = seats.slice(0, game.max);
  while (seats.length < game.min) addSeat();
  for (const seat of seats) {
    if (game.colours.length && !game.colours.includes(seat.colour)) seat.colour = freeColour();
  }
  showCatalogues();
  put(
    "options",
    game.options.length ? game.options.map(optionField) : h("p", { class: "soft" }, t("This game has none.")),
  );
  show();
  refresh();
}

const showCatalogues = () =>
  put(
    "catalogue-place",
    game.catalogues.length
      ? [
          h("label", { for: "catalogue" }, t("Edition of the box")),
          h(
            "select",
            { id: "catalogue" },
            game.catalogues.map((name) => h("option", { value: name }, editionWord(name))),
          ),
        ]
      : null,
  );
/** Another box is used: its edition can be chosen, and what people have written in stays. */
async function boxChanged() {
  const name = game.name;
  games = (await look("/api/games"))?.games || games;
  game = games.find((one) => one.name === name) || game;
  showCatalogues();
  refresh(true);
}

const optionField = (option) =>
  h(
    "div",
    {},
    h("label", { for: `option-${option.key}` }, `${option.title} (${option.clause})`),
    h(
      "select",
      { id: `option-${option.key}`, "data-option": option.key },
      option.values.map((one) => h("option", { value: one.value }, one.text)),
    ),
  );

const freeColour = () =>
  game.colours.find((colour) => !seats.some((seat) => seat.colour === colour)) || String(seats.length + 1);
function addSeat() {
  seats.push({ name: "", colour: freeColour() });
}

function show() {
  put("seats", seats.map(seatRow));
  byId("more").disabled = seats.length >= game.max;
  const before = byId("first")?.value || "";
  put("first-place", game.first ? firstField(before) : null);
}
const firstField = (before) => [
  h("label", { for: "first" }, t("Who begins")),
  h(
    "select",
    { id: "first" },
    h("option", { value: "" }, t("asked or drawn later")),
    seats.map((seat, i) => {
      const letter = "ABCDE"[i];
      return h("option", { value: letter, selected: letter === before }, seat.name || letter);
    }),
  ),
];
function seatRow(seat, i) {
  const [ground, ink] = inkOf(seat.colour);
  const swap = () => {
    [seats[i - 1], seats[i]] = [seats[i], seats[i - 1]];
    show();
  };
  const remove = () => {
    seats.splice(i, 1);
    show();
  };
  const recolour = (event) => {
    seat.colour = event.target.value;
    show();
  };
  return h(
    "div",
    { class: "row" },
    h("span", { class: "mark", style: `background:${ground};color:${ink}`, "aria-hidden": "true" }, "ABCDE"[i]),
    h("input", {
      "aria-label": t("Name of player {n}", { n: i + 1 }),
      class: "seat-name",
      value: seat.name,
      required: true,
      maxlength: 40,
      "data-key": `name-${i}`,
      oninput: (event) => {
        seat.name = event.target.value;
        const option = document.querySelector(`#first option[value="${"ABCDE"[i]}"]`);
        if (option) option.textContent = seat.name || "ABCDE"[i];
      },
    }),
    game.colours.length
      ? h(
          "select",
          {
            "aria-label": t("Colour of player {n}", { n: i + 1 }),
            "data-key": `colour-${i}`,
            class: "short",
            onchange: recolour,
          },
          game.colours.map((one) => h("option", { value: one, selected: one === seat.colour }, colourWord(one))),
        )
      : null,
    i > 0
      ? h(
          "button",
          {
            type: "button",
            "aria-label": t("Move player {n} one seat back", { n: i + 1 }),
            "data-key": `back-${i}`,
            onclick: swap,
          },
          "↑",
        )
      : null,
    seats.length > game.min
      ? h(
          "button",
          {
            type: "button",
            "aria-label": t("Remove player {n}", { n: i + 1 }),
            "data-key": `remove-${i}`,
            onclick: remove,
          },
          "×",
        )
      : null,
  );
}

byId("game").addEventListener("change", choose);
byId("more").addEventListener("click", () => {
  addSeat();
  show();
  byId("seats").lastElementChild.querySelector("input").focus();
});
byId("setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  const options = [...document.querySelectorAll("[data-option]")].map((select) => ({
    key: select.dataset.option,
    value: select.value,
  }));
  const catalogue = byId("catalogue")?.value || "",
    draws = byId("draws").value,
    first = byId("first")?.value ? { first: byId("first").value } : {};
  const done = await change("/api/begin", { game: game.name, seats, options, catalogue, draws, ...first });
  if (done) location.assign(draws === "digital" ? "/draws" : "/referee");
});

// Devices and calibration: asked for again and again, since people move cables, lamps and cubes meanwhile.
const NAMES = {
  camera: () => t("Camera"),
  box: () => t("Button box"),
  tiles: () => t("Tiles of your box"),
  hall: () => t("Hall"),
  markers: () => t("Markers"),
  place: () => t("Place of the table"),
  lens: () => t("Lens"),
  table: () => t("Remembered place"),
  light: () => t("Light"),
  colours: () => t("Colour check"),
};
const STATES = { ok: () => t("good"), wait: () => t("to do"), bad: () => t("wrong"), off: () => t("not used") };
const SOURCES = {
  camera: { "": () => t("none"), browser: () => t("a phone") },
  box: { "": () => t("none"), auto: () => t("look for it"), "virtual:": () => t("a virtual one, to try out") },
  tiles: { "": () => t("none") },
};
const LEARN = { table: () => t("Remember this place"), colours: () => t("Learn the colours") };
const ASK_MS = 1500;
let asking = 0;

async function refresh(chosen = false) {
  const turn = ++asking;
  try {
    const answer = await fetch(`/api/setup?game=${encodeURIComponent(game?.name || "")}&lang=${boot.language}`);
    const data = await answer.json();
    whenReleased("devices", () => turn === asking && showSteps(data, chosen));
  } catch {
    /* the banner says that the link is lost */
  }
  setTimeout(
    () => {
      if (turn === asking) refresh();
    },
    document.hidden ? 4 * ASK_MS : ASK_MS,
  );
}
const rows = new Map();
/** The steps, or why they cannot be told. Only what changed is drawn anew, so that nobody is disturbed in choosing. */
function showSteps(data, chosen) {
  const list = byId("devices");
  if (data.error) {
    rows.clear();
    put("devices", h("li", { class: "bad" }, [data.error.message, data.error.remedy].join(" ")));
    return;
  }
  if ([...rows.keys()].join() !== data.steps.map((step) => step.key).join()) {
    rows.clear();
    list.replaceChildren();
  }
  for (const step of data.steps) showStep(list, step, data.offers, chosen);
}
function showStep(list, step, offers, chosen) {
  const text = JSON.stringify([step, offers[step.key]]),
    old = rows.get(step.key),
    focused = old?.element.contains(document.activeElement) ? document.activeElement : null;
  // An open list of sources would close.
  if (old?.text === text || (focused?.matches("select") && !chosen)) return;
  const element = stepRow(step, offers);
  rows.set(step.key, { text, element });
  if (!old) list.append(element);
  else old.element.replaceWith(element);
  if (focused) element.querySelector(`[data-key="${focused.dataset.key}"]`)?.focus();
}
function stepRow(step, offers) {
  const offer = offers[step.key];
  return h(
    "li",
    { class: step.state },
    h(
      "div",
      { class: "row spread" },
      h("strong", {}, NAMES[step.key]()),
      h("span", { class: `chip ${step.state}` }, STATES[step.state]()),
    ),
    h("p", {}, step.text),
    step.remedy ? h("p", { class: "small soft" }, step.remedy) : null,
    step.detail ? h("p", { class: "small soft" }, step.detail) : null,
    offer ? sourceSelect(step.key, offer) : null,
    step.key === "camera" && offer?.chosen === "browser" && step.state !== "ok" ? phoneCode() : null,
    step.key === "markers" && step.state !== "ok" ? sheetLinks() : null,
    step.key === "lens" ? h("a", { class: "button", href: "/lens" }, t("Measure the lens")) : null,
    step.key === "tiles" ? boxFile() : null,
    step.can
      ? h(
          "button",
          { type: "button", "data-key": `learn-${step.can}`, onclick: () => learn(step.can) },
          LEARN[step.can](),
        )
      : null,
  );
}
/** What a phone scans to be the camera that was chosen just above. */
function phoneCode() {
  const place = h("div", { class: "phone-code" });
  pageCode(place, "camera");
  return place;
}
const sheetLinks = () =>
  h("p", { class: "row" }, [["a4", t("The sheets (A4)")], ["letter", t("The sheets (Letter)")]].map(([paper, name]) =>
    h("a", { class: "button", href: `/api/sheets?paper=${paper}`, download: true }, name)));
let loadedText = ""; // what came of the box file that was handed in last
const boxFile = () => [
  h("p", { class: "row" },
    h("a", { class: "button", href: `/enrol?game=${encodeURIComponent(game?.name || "")}` }, t("Learn your box")),
    h("label", { class: "button" }, t("Load a box file"),
      h("input", { type: "file", id: "box-file", class: "visually-hidden", accept: ".zip,application/zip", onchange: loadFile }))),
  h("p", { id: "box-loaded", class: "small", "aria-live": "polite" }, loadedText),
];
async function loadFile(event) {
  put("box-loaded", t("A moment…"));
  const loaded = await loadBox(event, game.name);
  if (!loaded) return;
  loadedText = loaded.text;
  put("box-loaded", loadedText);
  if (loaded.ok) boxChanged();
}
const nameOf = (which, source) => SOURCES[which][source]?.() || (which === "tiles" ? source.split("/").pop() : source);
const sourceSelect = (which, offer) =>
  h(
    "select",
    {
      "aria-label": NAMES[which](),
      "data-key": `choose-${which}`,
      onchange: async (event) => {
        await change("/api/setup/choose", { which, source: event.target.value });
        rows.get(which).text = ""; // also when it was refused: then the former one is chosen again
        if (which === "tiles") {
          loadedText = "";
          boxChanged();
        } else refresh(true);
      },
    },
    offer.sources.map((one) => h("option", { value: one, selected: one === offer.chosen }, nameOf(which, one))),
  );
async function learn(what) {
  await change("/api/setup/learn", { what, game: game.name });
  refresh(true);
}

pageCode(byId("camera-code"), "camera");
// The camera's picture, while there is a camera.
const picture = byId("camera-picture");
let pictures = false;
onDevices((now) => {
  byId("camera-card").hidden = !now.camera;
  if (now.camera && !pictures) {
    pictures = true;
    nextPicture();
  }
  if (!now.camera) pictures = false;
});
async function nextPicture() {
  if (!pictures) return;
  try {
    put("camera-note", await showPicture(picture, true));
  } catch {
    /* the banner says that the link is lost */
  }
  setTimeout(nextPicture, document.hidden ? 3000 : 700);
}

await showSessions();
choose();
byId("begin").disabled = false;
