// What every page has: the players' clocks, a pause that covers it, the rules beside it, full screen, a screen awake.
import { byId, focusAgain, h, wayBack } from "/static/page/dom.js";
import { tick } from "/static/everyday/clock.js";
import "/static/everyday/film.js";
import { rulesPanel } from "/static/everyday/rules.js";
import { boot, change, onState, state, t } from "/static/page/live.js";

// -- pause: PAUSED and nothing else ------------------------------------------------------------------------------
const may = boot.as !== null;
let before = [];
/** What lies under the cover can neither be tapped nor reached by keyboard. */
const under = (inert) => [...document.body.children].forEach((one) => one.id !== "paused" && (one.inert = inert));
function cover() {
  const there = byId("paused");
  if (!state.paused) {
    if (!there) return;
    there.remove();
    under(false);
    focusAgain(before);
    return;
  }
  // Where the game is followed; elsewhere, as where the PIN is given or devices are chosen, a banner says it.
  const followed = byId("players") && !byId("login");
  if (there || !followed) return;
  before = wayBack(document.activeElement);
  const goOn = h("button", { type: "button", class: "primary", id: "go-on", onclick: () => change("/api/note", { topic: "resume" }) }, t("Go on"));
  document.body.append(h("div", { id: "paused", role: "status" }, h("p", {}, t("PAUSED")), may ? goOn : null));
  under(true);
}
const pause = byId("pause-here");
if (pause) pause.addEventListener("click", () => change("/api/note", { topic: "pause" }));
onState(() => {
  cover();
  if (pause) pause.hidden = !may || !state.session || state.over;
  queueMicrotask(tick);
});

// -- full screen, and a screen that stays awake ------------------------------------------------------------------
const full = byId("full-screen");
if (full && document.fullscreenEnabled) {
  full.hidden = false;
  full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  document.addEventListener("fullscreenchange", () => full.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement))));
}
/** Browsers give a wake lock to pages of https and of this machine only; it is lost whenever the page is hidden. */
async function stayAwake() {
  if (!navigator.wakeLock || document.visibilityState !== "visible" || !state.session || state.over) return;
  try {
    await navigator.wakeLock.request("screen");
    document.documentElement.dataset.awake = "yes";
  } catch (error) {
    document.documentElement.dataset.awake = error.name; // a battery that is low refuses: the page works all the same
  }
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
rulesPanel(byId("rules"));
