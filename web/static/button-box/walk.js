// The button box on the set-up page: which it is, its name, and the walk round it, one light or contact after the other.
import { byId, h, put } from "/static/page/dom.js";
import { change, healthWord, look, t } from "/static/page/live.js";

const WALKING_MS = 350,
  IDLE_MS = 2000;
const LEDS = {
  OFF: () => t("off"),
  PLACE_NOW: () => t("place now"),
  CONFIRMED: () => t("confirmed"),
  YOUR_TURN: () => t("your turn"),
  WRONG: () => t("look at the screen"),
  HOST_LOST: () => t("no companion"),
};
const OUTCOMES = { good: () => t("good"), wrong: () => t("wrong"), skipped: () => t("not tried") };
let drawn = "",
  typed = null, // a name that is not saved yet
  asking = 0,
  stations = 0;

async function refresh() {
  const turn = ++asking;
  let box = null;
  try {
    box = (await look("/api/setup/box"))?.box;
    if (turn === asking) show(box);
  } catch {
    /* the banner says that the link is lost */
  }
  const wait = document.hidden ? 4 * IDLE_MS : box?.walk && !box.walk.over ? WALKING_MS : IDLE_MS;
  setTimeout(() => {
    if (turn === asking) refresh();
  }, wait);
}
/** Send a change of the box and show what came of it at once. */
async function tell(path, body) {
  const answer = await change(path, body);
  if (answer?.box !== undefined) show(answer.box);
  refresh();
}
const walkOn = (go) => tell("/api/setup/box/walk", go);

function show(box) {
  byId("box-card").hidden = !box;
  // Without a walk nothing of lights and contacts is shown: they change and would draw the form anew.
  const text = JSON.stringify(box?.walk ? box : { ...box, leds: null, inputs: null });
  // Whoever types a name is not disturbed.
  if (!box || text === drawn || byId("box-name") === document.activeElement) return;
  drawn = text;
  stations ||= box.stations;
  put("box-about", box.walk ? null : about(box));
  put("box-walk", box.walk ? (box.walk.over ? ended(box) : step(box)) : null);
}
function about(box) {
  const there = box.state === "ok";
  const facts = [box.board, box.firmware && t("firmware version {n}", { n: box.firmware }), box.port].filter(Boolean);
  return [
    h(
      "p",
      {},
      h("strong", {}, box.name || t("A box without a name")),
      " ",
      h("span", { class: `chip ${box.state}` }, healthWord(box.text)),
    ),
    facts.length ? h("p", { class: "small soft" }, facts.join(" · ")) : null,
    box.remedy ? h("p", { class: "small" }, box.remedy) : null,
    h(
      "p",
      { class: "small soft" },
      box.tested ? t("Tested and found right on {day}.", { day: box.tested }) : t("Not tested yet."),
    ),
    box.id
      ? h(
          "form",
          {
            class: "row",
            onsubmit: (event) => {
              event.preventDefault();
              byId("box-name").blur();
              tell("/api/setup/box/name", { name: byId("box-name").value });
              typed = null;
            },
          },
          h("label", { for: "box-name" }, t("Its name")),
          h("input", {
            id: "box-name",
            class: "grow",
            maxlength: 40,
            value: typed ?? box.name,
            "data-key": "box-name",
            oninput: (event) => {
              typed = event.target.value;
            },
          }),
          h("button", { "data-key": "box-save" }, t("Save")),
        )
      : null,
    there
      ? h(
          "div",
          { class: "row" },
          h("label", { for: "box-stations" }, t("Stations")),
          h(
            "select",
            {
              id: "box-stations",
              class: "short",
              "data-key": "box-stations",
              onchange: (event) => {
                stations = Number(event.target.value);
              },
            },
            [1, 2, 3, 4].map((n) => h("option", { value: n, selected: n === stations }, n)),
          ),
          h(
            "button",
            { type: "button", "data-key": "box-begin", onclick: () => walkOn({ do: "begin", stations }) },
            t("Test the box"),
          ),
        )
      : null,
    there
      ? h("p", { class: "small soft" }, t("What is pressed during the test reaches no game, nor what was pressed before."))
      : null,
  ];
}
/** The stations as they should look, or as the virtual ones do, with their contacts to touch. */
function lights(box) {
  const leds = box.virtual ? box.leds : box.walk.shows;
  return h(
    "div",
    { class: "lights" },
    leds.slice(0, stations).map((led, i) => {
      const shield = `shield-${i + 1}`,
        stands = box.inputs.includes(shield);
      return h(
        "div",
        { class: `light${box.walk.station === i + 1 ? " asked" : ""}` },
        h("span", { class: `led ${led.toLowerCase()}`, role: "img", "aria-label": LEDS[led]?.() || led }),
        h("span", {}, t("Station {n}", { n: i + 1 })),
        box.virtual
          ? [
              h(
                "button",
                {
                  type: "button",
                  "data-key": `touch-confirm-${i + 1}`,
                  onclick: () => touch({ input: `confirm-${i + 1}` }),
                },
                t("Press"),
              ),
              h(
                "button",
                {
                  type: "button",
                  "data-key": `touch-${shield}`,
                  onclick: () => touch({ input: shield, press: !stands }),
                },
                stands ? t("Lift the shield") : t("Put the shield up"),
              ),
            ]
          : null,
      );
    }),
  );
}
async function touch(what) {
  await change("/api/box/touch", what);
  refresh();
}
function step(box) {
  const { at, count, ask, kind, hint } = box.walk;
  const answer = (text, go, look) =>
    h(
      "button",
      {
        type: "button",
        class: look,
        "data-key": `walk-${go}`,
        onclick: (event) => {
          event.target.disabled = true; // a second tap would answer the next question
          walkOn({ do: go, at });
        },
      },
      text,
    );
  return [
    h("progress", { max: count, value: at, "aria-label": t("Step {n} of {count}", { n: at + 1, count }) }),
    h("p", { class: "small soft" }, t("Step {n} of {count}", { n: at + 1, count })),
    h("p", { class: "ask" }, ask),
    hint ? h("p", { class: "alert" }, hint) : null,
    lights(box),
    box.virtual && kind === "contact" && box.walk.station === 0
      ? h(
          "button",
          { type: "button", "data-key": "touch-referee", onclick: () => touch({ input: "referee" }) },
          t("Referee's button"),
        )
      : null,
    h(
      "div",
      { class: "row" },
      kind === "light"
        ? [answer(t("Yes, so it does"), "right", "primary"), answer(t("No"), "wrong", "")]
        : h("p", { class: "soft" }, t("The test goes on by itself as soon as the box has felt it.")),
      answer(kind === "light" ? t("Not built") : t("Not built, or nothing happens"), "skip", ""),
      h("button", { type: "button", class: "plain", onclick: () => walkOn({ do: "end" }) }, t("End the test")),
    ),
  ];
}
function ended(box) {
  const { rows, passed } = box.walk;
  const odd = rows.filter((row) => row.outcome !== "good");
  return [
    h(
      "p",
      { class: `ask ${passed ? "" : "alert"}` },
      passed ? t("What was tried is right.") : t("Something is not right."),
    ),
    odd.length
      ? h(
          "ul",
          { class: "steps" },
          odd.map((row) =>
            h(
              "li",
              { class: row.outcome === "wrong" ? "bad" : "" },
              h("p", {}, `${OUTCOMES[row.outcome]()}: ${row.ask}`),
              row.cause ? h("p", { class: "small" }, row.cause) : null,
            ),
          ),
        )
      : null,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", "data-key": "walk-again", onclick: () => walkOn({ do: "begin", stations }) }, t("Once more")),
      h("button", { type: "button", class: "primary", "data-key": "walk-end", onclick: () => walkOn({ do: "end" }) }, t("Done")),
    ),
  ];
}
refresh();
