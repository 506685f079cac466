// Streams the phone's camera: one picture at a time, the next when the last was taken, so that nothing piles up.
import { byId, h, put } from "/static/dom.js";
import { send, t } from "/static/live.js";

const video = byId("video"),
  canvas = h("canvas"),
  QUALITY = 0.85;
let stream = null,
  wake = null,
  sent = [];
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
  put("hint", hints.join(" "));
  wake = await navigator.wakeLock?.request("screen").catch(() => null);
  byId("start").disabled = true;
  byId("stop").disabled = false;
  shoot();
}
function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  wake?.release?.();
  stream = null;
  byId("start").disabled = false;
  byId("stop").disabled = true;
}
async function shoot() {
  while (stream) {
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    if (canvas.width) {
      canvas.getContext("2d").drawImage(video, 0, 0);
      const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
      const answer = await send("/api/camera/frame", jpeg, "image/jpeg", true);
      if (answer?.error) {
        put("hint", answer.error.message);
        await new Promise((go) => setTimeout(go, 1000));
      } else note(answer);
    }
    await new Promise((go) => setTimeout(go, 30));
  }
}
function note(answer) {
  const now = performance.now();
  sent = [...sent.filter((time) => now - time < 3000), now];
  const rate = sent.length > 1 ? ((sent.length - 1) * 1000) / (now - sent[0]) : 0;
  put(
    "rate",
    t("{n} pictures a second", { n: rate.toFixed(1) }),
    ` · ${canvas.width} × ${canvas.height}`,
    answer.view ? ` · ${answer.view}` : "",
  );
}
