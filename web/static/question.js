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
    answers = sentences.map((told, i) =>
      answer(question.corrects ? doubted(told, i) : told, i, choices[i], i === 0 && !elsewhere),
    );
  return h(
    "div",
    { class: "alert reminder" },
    h("p", {}, h("strong", {}, heading(question, slots))),
    question.corrects ? h("p", { class: "soft" }, t("All that was recorded since stays.")) : null,
    elsewhere ? h("p", { class: "soft" }, t("{who} is asked on the own phone.", { who: seatOf(seat).name })) : null,
    answers.length ? null : h("p", {}, t("The camera does not see enough there: clear the place, or enter what happened.")),
    h("div", { class: "stack" }, answers.slice(0, FEW)),
    answers.length > FEW
      ? h("details", {}, h("summary", {}, t("Something else")), h("div", { class: "stack" }, answers.slice(FEW)))
      : null,
  );
}
function heading({ corrects }, slots) {
  if (corrects) return t("At {slots} the camera now surely sees something else than the record says. Which is right?", { slots });
  return referee ? t("What happened at {slots}?", { slots }) : t("What did you do at {slots}?", { slots });
}
// Two stories of what was drawn, and, where something is wrong on the table, neither of them.
function doubted(told, choice) {
  const what = told.join(" ");
  if (!what) return [t("Neither: it was changed since, against the rules")];
  return [choice === 0 ? t("Correct the record: {what}", { what }) : t("The record is right: {what}", { what })];
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
