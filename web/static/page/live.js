// What every page shares: the state as it is streamed, changes with token, number and key, banners, clauses, voice.
import { byId, DOUBLE_TAP_MS, focusAgain, h, put, wayBack, whenReleased } from "/static/page/dom.js";
import { listen } from "/static/page/stream.js";
import { closeToast, showToast } from "/static/page/toast.js";
import { offerVoice, speak } from "/static/page/voice.js";
import { saidWhile } from "/static/page/waiting.js";

export const boot = JSON.parse(byId("boot").textContent);
export let state = JSON.parse(byId("state").textContent);
export let devices = boot.devices;
export const t = (id, facts = {}) => (boot.words[id] || id).replace(/\{(\w+)\}/g, (all, name) => facts[name] ?? all);
const followers = { state: [], record: [], devices: [] };
/** Call `follower` now and at each change of the state. */
export function onState(follower) {
  followers.state.push(follower);
  follower(state);
}
export function onDevices(follower) {
  followers.devices.push(follower);
  follower(devices);
}
export function onRecord(follower) {
  followers.record.push(follower);
}
export const seatOf = (letter) =>
  (state.seats || []).find((seat) => seat.seat === letter) || { seat: letter, name: letter, colour: "" };

// English without a comma before "and", as the companion's own sentences have it.
const people = new Intl.ListFormat(boot.language === "en" ? "en-GB" : boot.language);
/** Names of people in a sentence: "Eva, Ján and Žofia", in the page's language. */
export const listed = (names) => people.format(names);
/** The players on the seats with these letters, listed. */
export const listedSeats = (letters) => listed(letters.map((letter) => seatOf(letter).name));

/** What people call a place or a face of the table. */
export const nameOf = (word) => state.names?.[word] || word;

let linked = true;
const SILENT_MS = 6000; // the stream says every 1.2 s that it is there
function listenToTable() {
  const address = `${boot.stream || "/api/stream"}${boot.as ? `?as=${boot.as}` : "?"}&lang=${boot.language}`;
  listen(
    address,
    {
      state: show,
      record: (record) => {
        followers.record.forEach((follower) => follower(record));
        speak(recordText(record), false);
      },
      devices: (now) => {
        devices = now;
        followers.devices.forEach((follower) => follower(devices));
        banners();
      },
      moved: reload,
    },
    { silentMs: SILENT_MS, linked: setLinked, refused: mayListen },
  );
}
/** Load the page anew where its role was taken away while it was not linked: it then says so. */
async function mayListen() {
  if (boot.as && (await roleIsGone())) reload();
  return true;
}
const UNPROVED = 401,
  NO_SUCH_SEAT = 404; // another game with fewer players was begun meanwhile
const roleIsGone = () =>
  fetch(`/api/state?as=${boot.as}`).then(
    (answer) => [UNPROVED, NO_SUCH_SEAT].includes(answer.status),
    () => false, // the link is lost, which the banner says
  );
/** The page shows `next` from now on: a state of the stream, or of whoever else knows one (a hall's pages). */
export function show(next) {
  const before = state.session;
  state = next;
  if (before !== state.session && !staying) {
    reload();
    return;
  }
  setLinked(true);
  followers.state.forEach((follower) => follower(state));
  if (held !== Infinity) hold(held);
  banners();
}
/** What a record says, with what the rules made of it. */
export const recordText = (record) => [record.sentence, ...(record.followed || [])].join(" ");
// This page itself begins or resumes a game: it goes where that leads, and is not loaded anew before. Nor is a page that
// leaves already: a second address would break off the first.
let leaving = false;
addEventListener("pageshow", (event) => {
  if (event.persisted) leaving = false; // back by the browser's own button
});
// A page that is of no game (the camera's) goes on when another game is begun.
let staying = false;
export const stayThroughGames = () => (staying = true);
// A page that is of one game alone (the result's) leads on to another page when the next game begins.
let leadsTo = "";
export const goOnAt = (address) => (leadsTo = address);
// A page that photographs takes one picture at a time: that the last one is old is no trouble.
let stills = false;
export function takeStills() {
  stills = true;
  banners();
}
function reload() {
  if (leaving || staying) return;
  leaving = true;
  if (leadsTo) location.assign(leadsTo);
  else location.reload();
}
const noNewPicture = () => [devices.camera?.text, devices.camera?.view].includes("stale");
/** Whether no new picture comes, though the camera streams. */
export const isPictureOld = () => !stills && noNewPicture();
export function setLinked(now) {
  if (linked !== now) {
    linked = now;
    banners();
  }
}

const HEALTH = () => ({
  opening: t("is being opened"),
  live: t("live"),
  stale: t("picture is old"),
  gone: t("cannot be opened"),
  ended: t("the pictures have ended"),
  stopped: t("off"),
  "searching for the box": t("searching for the box"),
  "waiting for the box to answer": t("waiting for the box to answer"),
  connected: t("connected"),
  closed: t("off"),
});
/** How a device is, as people say it. */
export const healthWord = (text) => HEALTH()[text] || text;
const remedyOf = (device) => h("span", { class: "remedy" }, device.remedy);
function banners() {
  const found = [];
  const add = (kind, text) =>
    found.push(h("div", { class: `banner ${kind}`, role: kind === "bad" ? "alert" : "status" }, text));
  if (!linked) add("bad", t("The link to the companion is lost. This page comes back by itself."));
  if (state.trouble) add("bad", `${t("Not saved")}: ${state.trouble}`);
  if (state.paused) add("", t("The game is paused."));
  if (devices.joined > 1)
    add("", [
      t("{count} devices are joined to this seat.", { count: devices.joined }),
      " ",
      h("button", { type: "button", onclick: aloneHere }, t("Log the others out")),
    ]);
  if (devices.wrong_pins > 2)
    add("bad", t("{count} wrong PINs were tried, the last from {sender}.", { count: devices.wrong_pins, sender: devices.wrong_from }));
  const camera = devices.camera,
    box = devices.box;
  const meant = stills && noNewPicture();
  if (camera && camera.state === "bad" && !meant) add("bad", [`${t("Camera")}: ${healthWord(camera.text)}. `, remedyOf(camera)]);
  else if (camera && camera.view === "stale" && !meant) add("bad", t("The camera's picture is old: what moves now is not seen."));
  if (box && box.state === "bad") add("bad", [`${t("Button box")}: ${healthWord(box.text)}. `, remedyOf(box)]);
  const virtual = [camera?.virtual && t("Camera"), box?.virtual && t("Button box")].filter(Boolean);
  const quiet = [
    virtual.length && `${t("Not real, for trying out")}: ${virtual.join(", ")}.`,
    state.view?.sample && t("Sample edition: the printed values are invented."),
  ].filter(Boolean);
  if (quiet.length) add("quiet", quiet.join(" "));
  whenReleased("banners", () => put("banners", found));
}

// As soon as hands have left the page says that what they did was seen, or is taken to go on; it lies over the page and moves nothing.
const seen = h("div", { class: "seen", "aria-hidden": "true" });
document.body.append(seen);
const waitsFor = (letter) =>
  letter === boot.as ? t("Waiting for what else you do …") : t("Waiting for what else {name} does …", { name: seatOf(letter).name });
onDevices(({ camera }) => {
  const reading = Boolean(camera && (camera.reading || camera.view === "settling"));
  const waited = !reading && camera?.in_the_middle;
  const unseen = Boolean(camera && state.session && !state.over && ["table not found", "camera moved"].includes(camera.view));
  const ready = camera?.view !== "getting ready" || !state.session || state.over;
  // What fades away still says what it said.
  if (waited) seen.textContent = waitsFor(camera.in_the_middle);
  else if (reading) seen.textContent = t("Seen, reading …");
  else if (unseen) seen.textContent = t("The camera does not see the table.");
  else if (!ready) seen.textContent = t("The camera is getting ready.");
  seen.classList.toggle("on", Boolean(reading || waited || unseen || !ready));
});

/** Withdraw the seat's code: this device alone keeps the seat, and the page gets the tokens that belong to it. */
async function aloneHere() {
  if (await change("/api/seats/code", { seat: boot.as, do: "renew" })) location.reload();
}

export const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("-");
/** Send a change; resolves to the answer, or to null after the refusal was shown. `several`: more of the same follow at
once, and nobody waits for each. */
export async function change(path, body, { silent = false, several = false } = {}) {
  const complete = boot.as && path !== "/api/score" ? { as: boot.as, ...body } : body;
  const key = newKey();
  const seen = ["/api/play", "/api/draw", "/api/undo", "/api/undo/ask", "/api/draw/correct", "/api/overrule"].includes(path);
  if (seen) complete.expected ??= state.number;
  if (seen || ["/api/note", "/api/alerts/close"].includes(path)) complete.key = key;
  const goesOn = ["/api/begin", "/api/resume", "/api/again"].includes(path);
  if (goesOn && leaving) return null; // tapped once more while the first tap is on its way: one game is begun
  leaving = goesOn;
  const once = seen && !several;
  const tapped = performance.now(),
    tap = once ? ++taps : 0;
  if (once) {
    hold(Infinity);
    sentByClick = true;
  }
  const sent = send(path, JSON.stringify(complete), "application/json", silent);
  const answer = await (silent ? sent : saidWhile(t("A moment…"), sent));
  // The second tap of a double tap must not meet what has come to stand under the finger.
  if (once) setTimeout(() => tap === taps && hold(answer?.number || 0), DOUBLE_TAP_MS - (performance.now() - tapped));
  if (!answer) leaving = false;
  return answer;
}
// A slow double click, or one on a busy machine, is still one: the browser counts the clicks in one place.
let sentByClick = false;
addEventListener(
  "click",
  (event) => {
    if (event.detail <= 1) sentByClick = false;
    else if (sentByClick) event.stopPropagation();
  },
  true,
);
// What was offered before an act would be refused after it: nothing can be tapped until the page knows what came of it.
let held = 0,
  taps = 0,
  focused = null;
function hold(number) {
  held = number;
  const wait = state.number < held;
  const lost = document.activeElement === document.body;
  if (wait && !lost) focused ??= wayBack(document.activeElement);
  for (const id of ["acts", "board"]) byId(id)?.toggleAttribute("inert", wait);
  if (wait || !focused) return;
  // What cannot be tapped has no focus either: whoever plays by keyboard gets it back.
  if (lost) focusAgain(focused);
  focused = null;
}
export async function send(path, body, type, silent = false) {
  const mark = path.includes("?") ? "&" : "?";
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch(`${path}${mark}lang=${boot.language}`, {
        method: "POST",
        body,
        headers: { "Content-Type": type, "X-Companion-Token": boot.token },
      });
      const data = await answer.json();
      const error = data.error || data.refused;
      if (!error) return data;
      if (!silent) say(error);
      return silent ? { error } : null;
    } catch {
      // The same key again: it is applied once, however often it is sent.
      if (attempt < 3) {
        await new Promise((go) => setTimeout(go, 400 * 2 ** attempt));
        continue;
      }
      const lost = { message: t("The link to the companion is lost. This page comes back by itself."), lost: true };
      if (silent) return { error: lost };
      const message = t("The companion does not answer, so this was probably not done.");
      say({ ...lost, message, remedy: t("Look again when the link is back.") });
      return null;
    }
  }
}
export const look = async (path) => {
  const mark = path.includes("?") ? "&" : "?";
  const answer = await fetch(`${path}${mark}lang=${boot.language}`);
  const data = await answer.json();
  if (!answer.ok) {
    say(data.error);
    return null;
  }
  return data;
};

/** Put the camera's newest picture into `image`; resolves to why there is none now, "" when there is one. */
export async function showPicture(image, overlay) {
  const answer = await fetch(`/api/camera/picture?overlay=${overlay ? 1 : 0}&lang=${boot.language}`);
  if (answer.headers.get("Content-Type") !== "image/jpeg") {
    const data = await answer.json();
    image.hidden = true; // the last one is of a table that is not shown any more
    return (data.refused || data.error).message;
  }
  image.hidden = false;
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(await answer.blob());
  return "";
}

/** A message of the server, which may follow other sentences. */
export const asSentence = (text) => (/[.!?…]$/u.test(text) ? text : `${text}.`);
/** Show why something was not done. */
export function say(error) {
  const clause = error.facts?.clause;
  showToast(
    h("p", {}, [error.message, error.remedy].filter(Boolean).map(asSentence).join(" ")),
    h(
      "div",
      { class: "row" },
      clause?.id && h("button", { type: "button", onclick: () => showClause(clause) }, clause.id),
      h("button", { type: "button", onclick: closeToast }, t("Close")),
    ),
  );
  for (const follower of followers.refused) follower(error);
  speak(error.message, true);
}
followers.refused = [];
export const onRefused = (follower) => followers.refused.push(follower);

/** The text of a clause in a dialog. */
export function showClause(clause) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "clause-title" },
    h("h2", { id: "clause-title" }, `${clause.id} ${clause.title}`),
    clause.source &&
      clause.source !== "rulebook" &&
      h("p", { class: "chip wait" }, t("house ruling, not in the rulebook")),
    h("p", {}, clause.text),
    h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t("Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
export const clauseButton = (clause) =>
  clause &&
  h(
    "button",
    {
      type: "button",
      class: "plain",
      "data-key": `clause-${clause.id}`,
      "aria-label": `${clause.id}: ${clause.title}`,
      onclick: () => showClause(clause),
    },
    clause.id,
  );

/** A question with its answers in a dialog, or what is only to be read; resolves to the chosen value, or null. Enter in a
field gives the first answer, for which every field must be filled in as it asks. */
export function ask(title, content, answers) {
  return new Promise((done) => {
    let chosen = null;
    const offered = answers.filter(Boolean);
    const dialog = h(
      "dialog",
      { "aria-labelledby": "ask-title" },
      h("h2", { id: "ask-title" }, title),
      h(
        "form",
        {
          method: "dialog",
          onsubmit: (event) => {
            chosen = offered[event.submitter.value][1];
          },
        },
        content,
        h(
          "div",
          { class: "row" },
          offered.map(([text, , kind], i) => h("button", { value: i, class: kind || "", formnovalidate: i > 0 }, text)),
          h("button", { type: "button", onclick: () => dialog.close() }, offered.length ? t("Cancel") : t("Close")),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// On a phone the names of the pages are wider than the screen: the present one is in sight.
document.querySelector("header nav [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
offerVoice(t("Speech is on."));
let alertsHeard = new Set((state.alerts || []).map((alert) => alert.id + alert.text));
onState((now) => {
  for (const alert of now.alerts || []) if (!alertsHeard.has(alert.id + alert.text)) speak(alert.text, true);
  alertsHeard = new Set((now.alerts || []).map((alert) => alert.id + alert.text));
});
// A tap before the page's scripts listen would be lost: until then its buttons can neither be pressed nor look so.
document.addEventListener("DOMContentLoaded", () => document.body.removeAttribute("data-loading"));
banners();
// A page without a stream of its own (a hall's) is shown what it shows.
if (boot.stream !== null) listenToTable();
