// Who has one phone only takes single pictures with it: a page that streams could not show the course beside it.
import { byId, h } from "/static/page/dom.js";
import { change, devices, say, send, t, takeStills } from "/static/page/live.js";

// Twelve tiles are 200 px each then, and a look takes a second; phones take four times as many pixels.
const LONGER_PX = 2048,
  QUALITY = 0.92,
  TRIES = 20,
  PAUSE_MS = 500;

/** Says what is wrong for a while: the note about what is seen is written anew every second. */
async function photographed({ target }) {
  const [file] = target.files;
  target.value = ""; // the same name may come again
  if (!file) return;
  const jpeg = await smaller(file);
  if (!jpeg) {
    say({ message: t("This picture cannot be read.") });
    return;
  }
  const words = byId("shot-place").firstChild,
    offer = words.textContent;
  words.textContent = t("A moment…"); // the note below is about the picture before until this one is looked at
  await taken(jpeg);
  words.textContent = offer;
}
async function taken(jpeg) {
  takeStills();
  if (!devices.camera) await change("/api/setup/choose", { which: "camera", source: "browser" }, { silent: true });
  let answer = null;
  for (let left = TRIES; left && (!answer || answer.error); left--) {
    answer = await send("/api/camera/frame", jpeg, "image/jpeg", true);
    if (answer?.error) await new Promise((go) => setTimeout(go, PAUSE_MS)); // the camera is being opened
  }
  if (answer?.error) say(answer.error);
}
async function smaller(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, LONGER_PX / Math.max(picture.width, picture.height)),
    canvas = h("canvas", { width: Math.round(scale * picture.width), height: Math.round(scale * picture.height) });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
byId("shot").addEventListener("change", photographed);
