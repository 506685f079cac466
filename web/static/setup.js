// The set-up: game, players, variants, who draws; every device with its health and the next thing to do.
import { byId, h, put } from "/static/dom.js";
import { change, look, onDevices, t } from "/static/live.js";
import { inkOf } from "/static/tiles.js";

const games = (await look("/api/games"))?.games || [];
let seats = [], game = null;
put("game", games.map((one) => h("option", { value: one.name }, one.title)));
const COLOURS = { purple: () => t("purple"), gray: () => t("gray"), pink: () => t("pink"), white: () => t("white"), black: () => t("black"), red: () => t("red"), blue: () => t("blue"), green: () => t("green"), yellow: () => t("yellow"), orange: () => t("orange"), brown: () => t("brown") };
const colourWord = (colour) => COLOURS[colour]?.() || colour;
function choose() {
  game = games.find((one) => one.name === byId("game").value);
  if (!game) return;
  seats = seats.slice(0, game.max);
  while (seats.length < game.min) addSeat();
  seats.forEach((seat) => { if (game.colours.length && !game.colours.includes(seat.colour)) seat.colour = freeColour(); });
  put("catalogue-place", game.catalogues.length ? [h("label", { for: "catalogue" }, t("Edition of the box")), h("select", { id: "catalogue" }, game.catalogues.map((name) => h("option", {}, name)))] : null);
  put("options", game.options.length ? game.options.map((option) => h("div", {}, h("label", { for: `option-${option.key}` }, `${option.title} (${option.clause})`), h("select", { id: `option-${option.key}`, "data-option": option.key }, option.values.map((one) => h("option", { value: one.value }, one.text))))) : h("p", { class: "soft" }, t("This game has none.")));
  show();
}
const freeColour = () => game.colours.find((colour) => !seats.some((seat) => seat.colour === colour)) || String(seats.length + 1);
function addSeat() { seats.push({ name: "", colour: freeColour() }); }
function show() {
  put("seats", seats.map((seat, i) => h("div", { class: "row" },
    h("span", { class: "mark", style: `background:${inkOf(seat.colour)[0]};color:${inkOf(seat.colour)[1]}`, "aria-hidden": "true" }, "ABCDE"[i]),
    h("input", { "aria-label": t("Name of player {n}", { n: i + 1 }), style: "flex:1;min-width:8rem;width:auto", value: seat.name, required: true, maxlength: 40, "data-key": `name-${i}`, oninput: (event) => { seat.name = event.target.value; } }),
    game.colours.length ? h("select", { "aria-label": t("Colour of player {n}", { n: i + 1 }), style: "width:auto", onchange: (event) => { seat.colour = event.target.value; show(); } }, game.colours.map((colour) => h("option", { value: colour, selected: colour === seat.colour }, colourWord(colour)))) : null,
    i > 0 ? h("button", { type: "button", "aria-label": t("Move player {n} one seat back", { n: i + 1 }), onclick: () => { [seats[i - 1], seats[i]] = [seats[i], seats[i - 1]]; show(); } }, "↑") : null,
    seats.length > game.min ? h("button", { type: "button", "aria-label": t("Remove player {n}", { n: i + 1 }), onclick: () => { seats.splice(i, 1); show(); } }, "×") : null)));
  byId("more").disabled = seats.length >= game.max;
}
byId("game").addEventListener("change", choose);
byId("more").addEventListener("click", () => { addSeat(); show(); });
byId("setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  const options = [...document.querySelectorAll("[data-option]")].map((select) => ({ key: select.dataset.option, value: select.value }));
  const done = await change("/api/begin", { game: game.name, seats, options, catalogue: byId("catalogue")?.value || "", draws: byId("draws").value });
  if (done) location.assign(byId("draws").value === "digital" ? "/draws" : "/referee");
});
onDevices((now) => {
  const row = (name, device, absent) => h("li", { class: device ? device.state : "" }, h("strong", {}, name), " ", device ? device.text : absent, device?.virtual ? ` (${t("not real")})` : "", device?.remedy ? h("p", { class: "small" }, device.remedy) : null, device?.note ? h("p", { class: "small" }, device.note) : null);
  const camera = now.camera;
  put("devices", row(t("Camera"), camera, t("none: start with --camera, or play without one.")),
    camera ? h("li", { class: camera.view === "settled" ? "ok" : "wait" }, h("strong", {}, t("Calibration")), " ", camera.view === "settled" ? t("the table is found") : t("the table is not found yet"), h("p", { class: "small" }, t("Lay the four printed markers round the grid: `companion calibrate sheets` prints them."))) : null,
    camera ? h("li", { class: camera.fps ? "ok" : "wait" }, h("strong", {}, t("Pictures")), ` ${t("{n} pictures a second", { n: camera.fps })}, ${camera.size.join(" × ")}`) : null,
    camera ? h("li", { class: "wait" }, h("strong", {}, t("Colour check")), " ", t("Lay one cube of each colour on the table and run `companion calibrate colours`.")) : null,
    row(t("Button box"), now.box, t("none: start with --box auto, or confirm on the phones.")),
    h("li", { class: now.tally ? "ok" : "" }, h("strong", {}, t("Tiles of your box")), " ", now.tally ? t("enrolled") : t("not enrolled: `companion enrol` learns them.")));
});
const sessions = (await look("/api/sessions"))?.sessions || [];
put("sessions", sessions.length ? h("ul", { class: "steps" }, sessions.slice(0, 12).map((one) => h("li", { class: one.damage ? "bad" : "" }, h("strong", {}, one.session), h("p", { class: "small" }, one.damage || `${one.players.join(", ")} · ${t("{n} records", { n: one.records })}`), one.damage ? null : h("button", { type: "button", onclick: async () => { if (await change("/api/resume", { session: one.session })) location.assign("/referee"); } }, t("Go on"))))) : h("p", { class: "soft" }, t("No session yet.")));
choose();
