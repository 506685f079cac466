// The senses on the referee's page: the camera's picture and state, the button box.
import { byId, h, put } from "/static/page/dom.js";
import { change, healthWord, onDevices, showPicture, state, t } from "/static/page/live.js";

// The camera's picture is asked for again as soon as the last one has come: at most some a second.
const picture = byId("camera-picture");
const VIEWS = () => ({
  "getting ready": t("getting ready"),
  waiting: t("waiting"),
  "hand in view": t("hand in view"),
  settling: t("settling"),
  settled: t("settled"),
  "camera moved": t("camera moved"),
  "table not found": t("table not found"),
  stale: t("picture is old"),
});
let overlay = true,
  there = false;
async function next() {
  if (!there) return;
  try {
    put("camera-note", await showPicture(picture, overlay));
  } catch {
    /* the banner says that the link is lost */
  }
  setTimeout(next, document.hidden ? 3000 : 400);
}
onDevices(({ camera }) => {
  // A camera may join in mid game, and leave.
  byId("camera-card").hidden = !camera;
  const joins = Boolean(camera) && !there;
  there = Boolean(camera);
  if (joins) next();
});
byId("overlay").addEventListener("change", (event) => {
  overlay = event.target.checked;
});
// What has not changed is not drawn anew: a button that is being pressed would be gone before it is let go.
const drawn = {};
function draw(id, known, make) {
  const text = JSON.stringify(known);
  if (!byId(id) || drawn[id] === text) return;
  drawn[id] = text;
  put(id, make());
}
onDevices(({ camera, box }) => {
  if (camera) {
    const { view, fps, note } = camera;
    draw("camera-state", [view, fps, note], () => cameraState(camera));
  }
  if (!box) return;
  const { facts, ...known } = box;
  draw("box", [known, state.seats], () => boxTable(box));
  put("box-ms", facts.round_trip_ms ? `${facts.round_trip_ms} ms` : "");
});
function cameraState({ view, fps, note }) {
  const bad = ["stale", "table not found", "camera moved"].includes(view);
  return [
    h(
      "span",
      { class: `chip ${view === "settled" ? "ok" : bad ? "bad" : "wait"}` },
      VIEWS()[view] || t("follows no table"),
    ),
    h("span", { class: "chip num" }, t("{n} pictures a second", { n: fps })),
    note ? h("p", { class: "small" }, note) : null,
    bad ? h("a", { href: "/setup" }, t("The set-up says what to do")) : null,
  ];
}
function boxTable(box) {
  const words = {
    OFF: t("off"),
    PLACE_NOW: t("place now"),
    CONFIRMED: t("confirmed"),
    YOUR_TURN: t("your turn"),
    WRONG: t("look at the screen"),
    HOST_LOST: t("no companion"),
  };
  return [
    h(
      "p",
      {},
      h("span", { class: `chip ${box.state}` }, healthWord(box.text)),
      h("span", { class: "chip num", id: "box-ms" }),
    ),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        (state.seats || []).slice(0, 4).map((one, i) => {
          const shield = `shield-${i + 1}`,
            stands = box.inputs.includes(shield);
          return h(
            "tr",
            {},
            h("th", { scope: "row" }, `${i + 1} ${one.name}`),
            h("td", {}, words[box.leds[i]] || box.leds[i]),
            box.virtual
              ? h(
                  "td",
                  {},
                  h(
                    "div",
                    { class: "row" },
                    h(
                      "button",
                      {
                        type: "button",
                        "data-key": `confirm-${i}`,
                        onclick: () => change("/api/box/touch", { input: `confirm-${i + 1}` }),
                      },
                      t("Press"),
                    ),
                    h(
                      "button",
                      {
                        type: "button",
                        "data-key": shield,
                        "aria-pressed": String(stands),
                        onclick: () => change("/api/box/touch", { input: shield, press: !stands }),
                      },
                      stands ? t("Lift the shield") : t("Put the shield up"),
                    ),
                  ),
                )
              : h("td", {}, stands ? t("shield stands") : ""),
          );
        }),
      ),
    ),
    box.virtual
      ? h(
          "div",
          { class: "row" },
          h(
            "button",
            { type: "button", onclick: () => change("/api/box/touch", { input: "referee" }) },
            t("Referee's button"),
          ),
          h(
            "button",
            {
              type: "button",
              onclick: () => change("/api/box/fault", { command: box.state === "bad" ? "replug" : "unplug" }),
            },
            box.state === "bad" ? t("Plug in") : t("Unplug"),
          ),
        )
      : null,
  ];
}
