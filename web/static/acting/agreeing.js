// What everybody is asked to agree to, on every page with one tap: the table as it lies, or something taken back.
import { bringIntoView } from "/static/page/attention.js";
import { byId, h, put } from "/static/page/dom.js";
import { boot, change, devices, nameOf, onDevices, onState, seatOf, state, t } from "/static/page/live.js";

const referee = boot.as === "referee";
const agree = (body) => change("/api/overrule/agree", body);

let asking = false;
function show() {
  const proposal = devices.proposal,
    begins = Boolean(proposal) && !asking;
  asking = Boolean(proposal);
  if (!proposal) {
    put("proposal", devices.proposal_ended ? ended(devices.proposal_ended) : null);
    return;
  }
  const seats = state.seats || [];
  put(
    "proposal",
    h(
      "div",
      { class: "alert reminder", role: "region", "aria-label": t("Everybody is asked") },
      proposal.what === "undo" ? takingBack(proposal) : lying(proposal),
      h(
        "div",
        { class: "chips" },
        seats.map((seat) => {
          const agreed = proposal.agreed.includes(seat.seat);
          return h(
            "span",
            { class: `chip ${agreed ? "ok" : "wait"}` },
            `${seat.name}: ${agreed ? t("agrees") : t("is asked")}`,
          );
        }),
      ),
      boot.as ? h("div", { class: "row" }, referee ? forTheOthers(proposal, seats) : ownAnswer(proposal)) : null,
    ),
  );
  if (begins && boot.as) bringIntoView(byId("proposal"));
}
/** Why nobody is asked any more: it stands until something else is done, so that nobody waits for the others. */
function ended({ what, by, void: overtaken }) {
  const note = (...said) => h("p", { class: "alert reminder", role: "status" }, ...said);
  if (overtaken) return note(t("Something else was done meanwhile: nobody is asked any more."));
  const who = by ? seatOf(by).name : t("The referee");
  const kept = what === "undo" ? t("Nothing is taken back.") : t("Nothing is changed.");
  return note(h("strong", {}, t("{who} does not agree.", { who })), " ", kept);
}
const lying = (proposal) => [
  h("p", {}, h("strong", {}, t("Accept the table as it is?")), " ", proposal.why),
  h(
    "ul",
    {},
    proposal.changes.map((one) => h("li", {}, `${nameOf(one.slot)}: ${words(one.before)} → ${words(one.after)}`)),
  ),
];
function takingBack(proposal) {
  const who = proposal.asked_by ? seatOf(proposal.asked_by).name : t("The referee");
  return [
    h("p", {}, h("strong", {}, t("{who} asks to undo this.", { who }))),
    whatIsUndone(proposal),
    proposal.instead.length
      ? [h("p", {}, t("Instead it is told:")), h("ul", {}, proposal.instead.map((text) => h("li", {}, text)))]
      : handSteps(proposal.steps),
  ];
}
/** What is taken back, in sentences. */
export const whatIsUndone = (plan) =>
  h(
    "ul",
    {},
    plan.told.map((text) => h("li", {}, text)),
  );
/** What hands must do, in order. */
export const handSteps = (steps) =>
  steps.length
    ? [
        h("p", {}, t("What to do on the table:")),
        h(
          "ol",
          {},
          steps.map((step) => h("li", {}, step)),
        ),
      ]
    : null;
const refuse = (text) =>
  h(
    "button",
    { type: "button", "data-key": "disagree", onclick: () => change("/api/overrule/disagree", {}) },
    text,
  );
function ownAnswer(proposal) {
  if (proposal.asked_by === boot.as) return [refuse(t("Ask no longer"))];
  if (proposal.agreed.includes(boot.as)) return [refuse(t("I do not agree after all"))];
  return [
    h("button", { type: "button", class: "primary", "data-key": "agree", onclick: () => agree({}) }, t("I agree")),
    refuse(t("I do not agree")),
  ];
}
const forTheOthers = (proposal, seats) => [
  seats
    .filter((seat) => !proposal.agreed.includes(seat.seat))
    .map((seat) =>
      h(
        "button",
        { type: "button", "data-key": `agree-${seat.seat}`, onclick: () => agree({ seats: [seat.seat] }) },
        t("{player} agrees, aloud", { player: seat.name }),
      ),
    ),
  refuse(t("Ask no longer")),
];
function words(at) {
  const pieces = at.pieces.map(([colour, count]) => {
    const seat = (state.seats || []).find((one) => one.colour === colour);
    return `${count} × ${seat ? seatOf(seat.seat).name : colour}`;
  });
  return [at.face ? nameOf(at.face) : t("no tile"), ...pieces].join(", ");
}
let shown = "";
const refresh = () => {
  const text = JSON.stringify([devices.proposal, devices.proposal_ended, state.seats]);
  if (text !== shown) {
    shown = text;
    show();
  }
};
onDevices(refresh);
onState(refresh);
