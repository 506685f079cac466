// The camera's question: on the phone of the player who did it whichever answer is true, and on the referee's page.
import { h, put } from "/static/dom.js";
import { boot, change, nameOf, onDevices, seatOf, t } from "/static/live.js";

const referee = boot.as === "referee",
  FEW = 4; // answers at once, the likely ones first; the others are unfolded
// What has not changed is not drawn anew: a button that is being pressed would be gone before it is let go.
let drawn = "";
onDevices(({ camera, seats }) => {
  const question = camera?.question || null,
    mine = question && (referee || question.seat === boot.as),
    // Whose phone is open is asked there first.
    elsewhere = referee && question?.seat && (seats || []).some((one) => one.seat === question.seat && one.here);
  const text = JSON.stringify([mine ? question : null, elsewhere]);
  if (text === drawn) return;
  drawn = text;
  put("question", mine ? asked(question, elsewhere) : null);
});
function asked(question, elsewhere) {
  const { choices, sentences, seat } = question,
    slots = question.slots.map(nameOf).join(", "),
    answers = sentences.map((told, i) => answer(told, i, choices[i], i === 0 && !elsewhere));
  return h(
    "div",
    { class: "alert reminder" },
    h("p", {}, h("strong", {}, referee ? t("What happened at {slots}?", { slots }) : t("What did you do at {slots}?", { slots }))),
    elsewhere ? h("p", { class: "soft" }, t("{who} is asked on the own phone.", { who: seatOf(seat).name })) : null,
    answers.length ? null : h("p", {}, t("The camera does not see enough there: clear the place, or enter what happened.")),
    h("div", { class: "stack" }, answers.slice(0, FEW)),
    answers.length > FEW
      ? h("details", {}, h("summary", {}, t("Something else")), h("div", { class: "stack" }, answers.slice(FEW)))
      : null,
  );
}
const answer = (told, choice, texts, first) =>
  h(
    "button",
    {
      type: "button",
      class: first ? "primary big" : referee ? "" : "big",
      "data-key": `answer-${choice}`,
      onclick: () => change("/api/camera/answer", { choice, texts }),
    },
    told.join(" ") || t("Nothing"),
  );
