// The referee's page: what the camera sees, what it asks, corrections in two taps, undo, pause, the box, the seats' codes.
import { Tapping, plainActs, untapped } from "/static/acts.js";
import { alerts, board, clauseLink, headline, order, players, supply, wrongSlots } from "/static/board.js";
import { byId, h, put } from "/static/dom.js";
import { ask, change, look, onDevices, onRecord, onState, seatOf, state, t } from "/static/live.js";
import { actPicture } from "/static/rifts.js";
import { mark } from "/static/tiles.js";

let seat = null;
const tapping = new Tapping(show, (act) => !seat || act.seat === seat);
function show() {
  if (!state.session) return;
  const seats = [...new Set((state.actions || []).map((act) => act.seat))];
  if (!seats.includes(seat)) seat = seats[0] || null;
  put("headline", headline(state));
  put("expected", state.expected || "", state.clause ? [" ", clauseLink(state.clause.id)] : null);
  put("alerts", alerts(state, { close: (id) => change("/api/alerts/close", { id }) }));
  put("board", board(state, { tap: (slot) => (state.draw_due ? null : tapping.tap(slot)), marked: new Set(tapping.slots), wrong: new Set([...wrongSlots(state), ...tapping.wrong]) }));
  put("order", order(state));
  put("acts", state.draw_due ? drawing() : acting(seats));
  put("players", players(state, { details: false }));
  put("supply", supply(state));
  byId("pause").textContent = state.paused ? t("Go on") : t("Pause");
}
function acting(seats) {
  const acts = tapping.acts(), fitting = tapping.fitting(), plain = acts.filter((act) => !act.slots.length);
  if (!acts.length) return [h("p", { class: "soft" }, state.over ? t("The game is over.") : t("Players tell their choices on their own pages, behind the shields or at the box."))];
  return [
    seats.length > 1 ? h("div", { class: "row", role: "group", "aria-label": t("Who acted") }, seats.map((letter) => h("button", { type: "button", "aria-pressed": String(letter === seat), class: letter === seat ? "primary" : "", "data-key": `seat-${letter}`, onclick: () => { seat = letter; tapping.clear(); } }, mark(letter), seatOf(letter).name))) : null,
    fitting.map((act) => h("button", { type: "button", class: "primary big", "data-key": act.text, onclick: () => tapping.play(act.text) }, actPicture(state, act), act.sentence)),
    !fitting.length && acts.some((act) => act.slots.length && !untapped(act)) ? h("p", { class: "soft" }, t("Tap the places on the table, then say that it happened.")) : null,
    plainActs(plain, (text) => tapping.play(text), (act) => h("button", { type: "button", "data-key": act.text, onclick: () => tapping.play(act.text) }, act.sentence)),
    acts.filter(untapped).slice(0, 60).map((act) => h("button", { type: "button", onclick: () => tapping.play(act.text) }, act.sentence)),
  ];
}
function drawing() {
  const sealed = state.bag.phase === "sealed", outcomes = state.outcomes;
  return [
    sealed ? h("button", { type: "button", class: "primary big", "data-key": "draw", onclick: () => change("/api/draw", {}) }, t("Draw from the digital bag")) : null,
    outcomes.length ? h("label", { for: "drawn" }, t("What was drawn by hand?")) : h("p", {}, t("A secret card is dealt: by the digital bag, or on the table.")),
    outcomes.length ? h("div", { class: "row" }, h("select", { id: "drawn", style: "flex:1" }, outcomes.map((one) => h("option", { value: one.text }, `${one.sentence}${one.placed || !one.face ? "" : ` (${t("cannot be placed now")})`}`))),
      h("button", { type: "button", class: sealed ? "" : "primary", "data-key": "drawn", onclick: () => change("/api/play", { texts: [byId("drawn").value] }) }, t("That was drawn"))) : null,
  ];
}
byId("pause").addEventListener("click", () => change("/api/note", { topic: state.paused ? "resume" : "pause" }));
byId("note").addEventListener("click", async () => {
  const text = h("input", { id: "remark", maxlength: 500 }), dispute = h("input", { type: "checkbox" });
  const yes = await ask(t("Write into the record"), h("div", {}, h("label", { for: "remark" }, t("Remark")), text, h("label", { class: "inline" }, dispute, t("This is a dispute"))), [[t("Write"), true, "primary"]]);
  if (yes && text.value.trim()) change("/api/note", { topic: dispute.checked ? "dispute" : "remark", text: text.value.trim() });
});
byId("undo").addEventListener("click", () => undo());
async function undo(to) {
  const plan = await look(`/api/undo?as=referee${to ? `&to=${to}` : ""}`);
  if (!plan) return;
  const boxes = plan.consents.map((letter) => ({ letter, box: h("input", { type: "checkbox" }) }));
  const content = h("div", {}, h("p", {}, t("{n} records are taken back.", { n: plan.undone.length })),
    plan.crossings.length ? [h("h3", {}, t("This goes back over")), h("ul", {}, plan.crossings.map((text) => h("li", {}, text))), h("h3", {}, t("Who agrees?")), boxes.map(({ letter, box }) => h("label", { class: "inline" }, box, seatOf(letter).name))] : null,
    plan.steps.length ? [h("h3", {}, t("With your hands")), h("ol", {}, plan.steps.map((step) => h("li", {}, step)))] : null);
  const yes = await ask(t("Take back?"), content, [[t("Take back"), true, "primary"]]);
  if (yes) change("/api/undo", { to: plan.to, consents: boxes.filter(({ box }) => box.checked).map(({ letter }) => letter) });
}
byId("resync").addEventListener("click", async () => {
  const steps = (state.alerts || []).flatMap((alert) => alert.steps);
  await ask(t("What lies wrong"), steps.length ? h("ol", {}, steps.map((step) => h("li", {}, step))) : h("p", {}, t("Nothing is known to lie wrong. The table shall look like the picture on this page.")), []);
});

// The camera's picture is asked for again as soon as the last one has come: at most some a second.
const picture = byId("camera-picture");
const VIEWS = () => ({ waiting: t("waiting"), "hand in view": t("hand in view"), settling: t("settling"), settled: t("settled"), "camera moved": t("camera moved"), "table not found": t("table not found"), stale: t("picture is old") });
let overlay = true;
if (picture) {
  const next = async () => {
    try {
      const answer = await fetch(`/api/camera/picture?overlay=${overlay ? 1 : 0}`);
      if (answer.ok) { URL.revokeObjectURL(picture.src); picture.src = URL.createObjectURL(await answer.blob()); put("camera-note", ""); }
      else put("camera-note", (await answer.json()).error.message);
    } catch { /* the banner says that the link is lost */ }
    setTimeout(next, document.hidden ? 3000 : 400);
  };
  next();
  byId("overlay").addEventListener("change", (event) => { overlay = event.target.checked; });
}
onDevices((now) => {
  const camera = now.camera, box = now.box;
  if (camera) {
    const ok = camera.view === "settled" ? "ok" : ["stale", "table not found", "camera moved"].includes(camera.view) ? "bad" : "wait";
    put("camera-state", h("span", { class: `chip ${ok}` }, VIEWS()[camera.view] || camera.view), h("span", { class: "chip num" }, t("{n} pictures a second", { n: camera.fps })), camera.note ? h("p", { class: "small" }, camera.note) : null);
    const question = camera.question;
    put("question", question ? h("div", { class: "alert" }, h("p", {}, h("strong", {}, t("What happened at {slots}?", { slots: question.slots.join(", ") }))),
      h("div", { class: "row" }, question.choices.map((texts, i) => h("button", { type: "button", onclick: () => change("/api/camera/answer", { choice: i }) }, texts.join(", ") || t("Nothing"))))) : null);
  }
  if (!box || !byId("box")) return;
  const words = { OFF: t("off"), PLACE_NOW: t("place now"), CONFIRMED: t("confirmed"), YOUR_TURN: t("your turn"), WRONG: t("look at the screen"), HOST_LOST: t("no companion") };
  put("box", h("p", {}, h("span", { class: `chip ${box.state}` }, box.text), box.facts.round_trip_ms ? h("span", { class: "chip num" }, `${box.facts.round_trip_ms} ms`) : null),
    h("table", {}, h("tbody", {}, (state.seats || []).slice(0, 4).map((one, i) => {
      const shield = `shield-${i + 1}`, stands = box.inputs.includes(shield);
      return h("tr", {}, h("th", { scope: "row" }, `${i + 1} ${one.name}`), h("td", {}, words[box.leds[i]] || box.leds[i]), box.virtual ? h("td", {}, h("div", { class: "row" }, h("button", { type: "button", "data-key": `confirm-${i}`, onclick: () => change("/api/box/touch", { input: `confirm-${i + 1}` }) }, t("Press")), h("button", { type: "button", "data-key": shield, "aria-pressed": String(stands), onclick: () => change("/api/box/touch", { input: shield, press: !stands }) }, stands ? t("Lift the shield") : t("Put the shield up")))) : h("td", {}, stands ? t("shield stands") : ""));
    }))),
    box.virtual ? h("div", { class: "row" }, h("button", { type: "button", onclick: () => change("/api/box/touch", { input: "referee" }) }, t("Referee's button")), h("button", { type: "button", onclick: () => change("/api/box/fault", { command: box.state === "bad" ? "replug" : "unplug" }) }, box.state === "bad" ? t("Plug in") : t("Unplug"))) : null);
});
const log = byId("log");
const line = (record) => h("li", {}, h("span", { class: "soft num" }, String(record.number)), h("span", {}, record.sentence), record.kind === "event" ? h("button", { type: "button", class: "plain", onclick: () => undo(record.number) }, t("back to here")) : null);
look("/api/records?as=referee&after=" + Math.max(0, (state.number || 0) - 20)).then((data) => log.replaceChildren(...(data?.records || []).reverse().map(line)));
onRecord((record) => { log.prepend(line(record)); while (log.children.length > 60) log.lastChild.remove(); });
byId("codes").addEventListener("toggle", async (event) => {
  if (!event.target.open || byId("code-list").children.length) return;
  const data = await look("/api/seats");
  put("code-list", (data?.seats || []).map((one) => {
    const place = h("div", { class: "qr" });
    place.append(new DOMParser().parseFromString(one.svg, "image/svg+xml").documentElement);
    return h("div", {}, h("h3", {}, one.name), place, h("a", { href: one.address, class: "small" }, t("Open this seat here")));
  }));
});
let number = state.number;
onState((now) => { if (now.number !== number) { number = now.number; tapping.slots = []; tapping.wrong = new Set(); } show(); });
