// Measuring the lens: the picture with the fields that are done, what to do next, and what the result means.
import { byId, h, put, s } from "/static/page/dom.js";
import { boot, change, showPicture, state, stayThroughGames, t } from "/static/page/live.js";

stayThroughGames();
const ASK_MS = 350,
  SLOW_MS = 2000;
let measuring = false;

function show(data) {
  byId("begin").hidden = data.running;
  byId("end").hidden = !data.running;
  byId("finish").hidden = !data.running || data.views < 6;
  byId("finish").disabled = measuring;
  byId("bar").hidden = !data.running;
  byId("bar").firstElementChild.style.width = `${Math.round(100 * data.share)}%`;
  put("advice", measuring ? t("It is being measured…") : data.running ? data.advice : "");
  put("count", data.running ? t("{n} views are kept.", { n: data.views }) : "");
  drawMap(data);
  byId("result-card").hidden = !data.result;
  if (data.result) {
    put("result", h("p", { class: data.result.good ? "good" : "bad" }, data.result.meaning),
      h("p", { class: "small soft num" }, t("From {n} views, error {error} px.", { n: data.result.views, error: data.result.error })));
  }
  put("known", data.known
    ? t("Measured from {n} views to {error} px; it bends lines by up to {bend} px.", { n: data.known.views, error: data.known.error, bend: data.known.bend })
    : t("Not measured: it is estimated from the markers."));
}
/** The fields of the picture, green where the board was seen, and the board's outline as it is held now. */
function drawMap(data) {
  const rows = data.fields.length;
  byId("map").replaceChildren(
    ...data.fields.flatMap((row, r) =>
      row.map((done, c) =>
        s("rect", { class: done ? "done" : "", x: (1000 * c) / row.length, y: (1000 * r) / rows, width: 1000 / row.length, height: 1000 / rows }),
      ),
    ),
    ...(data.board.length ? [s("polygon", { points: data.board.map(([x, y]) => `${1000 * x},${1000 * y}`).join(" ") })] : []),
  );
}
async function act(what) {
  await change("/api/lens", { do: what });
}
async function finish() {
  if (measuring) return;
  measuring = true;
  put("advice", t("It is being measured…"));
  await act("finish");
  measuring = false;
}
byId("begin").addEventListener("click", () => act("begin"));
byId("end").addEventListener("click", () => act("end"));
byId("finish").addEventListener("click", finish);

async function watch() {
  let pause = ASK_MS;
  try {
    if (!document.hidden && !measuring) {
      const answer = await fetch(`/api/lens?lang=${boot.language}`);
      const data = await answer.json(),
        none = data.error || data.refused;
      if (none) {
        put("advice", [none.message, none.remedy].join(" "));
        pause = SLOW_MS;
      } else {
        show(data);
        pause = data.running ? ASK_MS : SLOW_MS;
        const picture = byId("camera");
        picture.hidden = Boolean(await showPicture(picture, !state.session)); // in a game: whole, not the slots from near
        // Who holds the board has no hand free.
        if (data.running && data.complete) finish();
      }
    }
  } catch {
    pause = SLOW_MS; // the banner says that the link is lost
  }
  setTimeout(watch, pause);
}
watch();
