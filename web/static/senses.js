// The senses on the referee's page: the camera's picture and state, its open question, the button box.
import { byId, h, put } from "/static/dom.js";
import { change, healthWord, onDevices, state, t } from "/static/live.js";

/** What an event's text says, when it is one of those that can be told now. */
const sentence = (text) =>
  [...(state.actions || []), ...(state.outcomes || [])].find((one) => one.text === text)?.sentence || text;

// The camera's picture is asked for again as soon as the last one has come: at most some a second.
const picture = byId("camera-picture");
const VIEWS = () => ({
  waiting: t("waiting"),
  "hand in view": t("hand in view"),
  settling: t("settling"),
  settled: t("settled"),
  "camera moved": t("camera moved"),
  "table not found": t("table not found"),
  stale: t("picture is old"),
});
let overlay = true;
if (picture) {
  const next = async () => {
    try {
      const answer = await fetch(`/api/camera/picture?overlay=${overlay ? 1 : 0}`);
      if (answer.ok) {
        URL.revokeObjectURL(picture.src);
        picture.src = URL.createObjectURL(await answer.blob());
        put("camera-note", "");
      } else put("camera-note", (await answer.json()).error.message);
    } catch {
      /* the banner says that the link is lost */
    }
    setTimeout(next, document.hidden ? 3000 : 400);
  };
  next();
  byId("overlay").addEventListener("change", (event) => {
    overlay = event.target.checked;
  });
}
onDevices((now) => {
  const camera = now.camera,
    box = now.box;
  if (camera) {
    const ok =
      camera.view === "settled"
        ? "ok"
        : ["stale", "table not found", "camera moved"].includes(camera.view)
          ? "bad"
          : "wait";
    put(
      "camera-state",
      h("span", { class: `chip ${ok}` }, VIEWS()[camera.view] || t("follows no table")),
      h("span", { class: "chip num" }, t("{n} pictures a second", { n: camera.fps })),
      camera.note ? h("p", { class: "small" }, camera.note) : null,
    );
    const question = camera.question;
    put(
      "question",
      question
        ? h(
            "div",
            { class: "alert" },
            h("p", {}, h("strong", {}, t("What happened at {slots}?", { slots: question.slots.join(", ") }))),
            h(
              "div",
              { class: "row" },
              question.choices.map((texts, i) =>
                h(
                  "button",
                  { type: "button", onclick: () => change("/api/camera/answer", { choice: i }) },
                  texts.map(sentence).join(" ") || t("Nothing"),
                ),
              ),
            ),
          )
        : null,
    );
  }
  if (!box || !byId("box")) return;
  const words = {
    OFF: t("off"),
    PLACE_NOW: t("place now"),
    CONFIRMED: t("confirmed"),
    YOUR_TURN: t("your turn"),
    WRONG: t("look at the screen"),
    HOST_LOST: t("no companion"),
  };
  put(
    "box",
    h(
      "p",
      {},
      h("span", { class: `chip ${box.state}` }, healthWord(box.text)),
      box.facts.round_trip_ms ? h("span", { class: "chip num" }, `${box.facts.round_trip_ms} ms`) : null,
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
  );
});
