// The demo: what its film shows, in words below the page's head, with its pause and replay for the referee.
import { byId, h } from "/static/page/dom.js";
import { boot, change, devices, onDevices, onRecord, onState, recordText, state, t } from "/static/page/live.js";

let told = "";
const button = (text, what) => h("button", { type: "button", "data-key": `film-${what}`, onclick: () => change("/api/film", { do: what }) }, text);
/** What the film shows now: what is wrong first, then what happened last, then what is awaited. */
function caption() {
  if (devices.camera.film === "ended") return t("The film has ended.");
  // A reminder asks for nothing to be put right: it is no broken rule.
  const alert = state.alerts?.find((one) => one.steps.length);
  if (alert) return `${t("Somebody broke a rule on purpose:")} ${alert.text}`;
  return told || state.expected || "";
}
function show() {
  const bar = byId("film"),
    film = devices.camera?.film;
  bar.hidden = !film;
  if (!film) return;
  const pair = film === "held" ? button(t("Film: go on"), "go") : film === "running" ? button(t("Film: hold"), "hold") : null;
  bar.replaceChildren(
    h("span", { class: "chip next" }, t("Demo: a rendered film")),
    h("p", { "aria-live": "polite" }, caption()),
    ...(boot.as === "referee" ? [pair, button(t("Film: play again"), "again")].filter(Boolean) : []),
  );
}
onRecord((record) => {
  if (!record.hidden && record.kind === "event") told = recordText(record);
  show();
});
if (byId("film")) {
  onState(show);
  onDevices(show);
}
