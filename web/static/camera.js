// Streams the phone's camera: one picture at a time, the next when the last was taken, so that nothing piles up. It
// goes on through games, reloads, a locked screen and a restart of the companion until somebody stops it.
import { byId, h, put } from "/static/page/dom.js";
import { pageCode } from "/static/joining/codes.js";
import { asSentence, boot, change, devices, newKey, onDevices, send, state, stayThroughGames, t } from "/static/page/live.js";

const video = byId("video"),
  canvas = h("canvas"),
  QUALITY = 0.85,
  AGAIN_MS = 2000, // a camera that is plugged in again is asked for so soon
  RUNNING = "companion-camera",
  WHICH = "companion-camera-phone";
// Of several phones one is the camera; a page that was loaded again is the same phone.
const phone = localStorage.getItem(WHICH) || newKey();
localStorage.setItem(WHICH, phone);
let stream = null,
  advice = "",
  wake = null,
  sent = [],
  refused = null,
  takesOver = false;
stayThroughGames();
byId("start").addEventListener("click", start);
byId("stop").addEventListener("click", stop);
if (!navigator.mediaDevices) put("hint", t("The browser gives the camera only over https: open the https address."));
async function start() {
  const [width, height] = byId("wanted").value.split("x").map(Number);
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        facingMode: { ideal: "environment" },
        width: { ideal: width },
        height: { ideal: height },
        frameRate: { ideal: 15 },
      },
    });
  } catch (error) {
    put("hint", `${t("The camera was not given.")} ${error.message}`);
    return;
  }
  video.srcObject = stream;
  await video.play();
  const track = stream.getVideoTracks()[0],
    can = track.getCapabilities?.() || {},
    hints = [];
  // A locked focus keeps a settled picture settled, where the phone can.
  if (can.focusMode?.includes("continuous"))
    await track
      .applyConstraints({ advanced: [{ focusMode: "continuous" }] })
      .catch(() => hints.push(t("Focus by tapping the picture in the camera's own app.")));
  else hints.push(t("This camera focuses by itself: hold it still for a moment."));
  const { width: got } = track.getSettings();
  if (got < 1280)
    hints.push(t("The picture is small ({n} px wide): move the phone closer or choose another camera.", { n: got }));
  put("hint", (advice = hints.join(" ")));
  await stayAwake();
  localStorage.setItem(RUNNING, "on");
  byId("start").disabled = true;
  byId("stop").disabled = false;
  // Where no camera was chosen, nobody minds that this phone is it.
  if (!devices.camera) await useThisPhone();
  shoot(stream);
}
function useThisPhone() {
  takesOver = true;
  // Where another phone is the camera the next picture says that this one is.
  if (refused?.code === "taken") return null;
  return change("/api/setup/choose", { which: "camera", source: "browser" }, { silent: true });
}
const stayAwake = async () => {
  wake = (await navigator.wakeLock?.request("screen").catch(() => null)) || null;
};
function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  wake?.release?.();
  stream = wake = null;
  localStorage.removeItem(RUNNING);
  byId("start").disabled = false;
  byId("stop").disabled = true;
  standing();
}
// A camera that was unplugged, or that a locked screen or another app has taken: its last picture is none.
const gone = () => Boolean(stream) && stream.getVideoTracks().every((track) => track.readyState === "ended");
// A locked screen takes the wake lock, and on some phones the camera too.
document.addEventListener("visibilitychange", async () => {
  if (document.visibilityState !== "visible" || !stream) return;
  await stayAwake();
  if (!gone()) await video.play().catch(() => null);
});
async function shoot(mine) {
  while (stream === mine) {
    if (gone()) {
      standing();
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      if (stream === mine && document.visibilityState === "visible") await start();
      continue;
    }
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    if (canvas.width) {
      canvas.getContext("2d").drawImage(video, 0, 0);
      const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
      const answer = await send(`/api/camera/frame?phone=${phone}&take=${Number(takesOver)}`, jpeg, "image/jpeg", true);
      refused = answer?.error || null;
      if (!refused) takesOver = false;
      if (refused) await new Promise((go) => setTimeout(go, 1000));
      else note(answer);
      standing();
    }
    await new Promise((go) => setTimeout(go, 30));
  }
}
function note(answer) {
  const now = performance.now();
  sent = [...sent.filter((time) => now - time < 3000), now];
  const rate = sent.length > 1 ? ((sent.length - 1) * 1000) / (now - sent[0]) : 0;
  put("rate", t("{n} pictures a second", { n: rate.toLocaleString(boot.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) }), ` · ${canvas.width} × ${canvas.height}`);
  // A note that holds no more goes; why the table is not found stands in large letters.
  put("hint", (answer.view !== "table not found" && answer.note) || advice);
}
// Read from where the phone hangs: in large letters whether it is used, how well it sees, and what to do.
const SEEN = {
  "getting ready": () => ["wait", t("Used: it is getting ready, which takes a moment.")],
  settled: () => ["ok", t("Used: it sees the table well.")],
  "hand in view": () => ["ok", t("Used: it waits until no hand is in the picture.")],
  settling: () => ["ok", t("Used: it waits until everything lies still.")],
  waiting: () => ["wait", t("Used: it looks for the table.")],
  "table not found": ({ note }) => ["bad", note ? t("The table is not found: {why}.", { why: note }) : t("The table is not found.")],
  "camera moved": () => ["bad", t("The camera was moved: leave it still until the table is found again.")],
  stale: () => ["bad", t("No new picture arrives: keep this page open and in front.")],
};
let told = "";
const begun = (sentence) => sentence.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(boot.language));
function standing() {
  const camera = devices.camera;
  let [kind, words] = ["wait", t("Not used: tap Start.")];
  if (gone()) [kind, words] = ["bad", t("Not used. The camera was unplugged or taken by another app: this page asks for it again by itself.")];
  else if (stream && refused) [kind, words] = ["bad", [t("Not used."), ...[refused.message, refused.remedy].filter(Boolean).map(asSentence).map(begun)].join(" ")];
  else if (stream && SEEN[camera?.view]) [kind, words] = SEEN[camera.view](camera);
  else if (stream && state.session && !state.over) [kind, words] = ["wait", t("The picture arrives; it is not used yet.")];
  else if (stream)
    [kind, words] = ["ok", t("The picture arrives; it is used as soon as a game that the camera follows begins.")];
  const chosen = stream && refused && !refused.lost && camera, // another camera is used: this one can be
    text = kind + words + Boolean(chosen);
  if (text === told) return;
  told = text;
  byId("standing").className = `standing ${kind}`;
  put(
    "standing",
    h("p", {}, words),
    chosen
      ? h("button", { type: "button", onclick: useThisPhone }, t("Use this phone as the camera"))
      : null,
  );
}
onDevices(standing);
pageCode(byId("camera-code"), "camera");
// A page that was loaded again goes on by itself: it was stopped by nobody.
if (localStorage.getItem(RUNNING)) start();
