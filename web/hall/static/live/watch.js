// One table: as spectators see it; for the hall's people as it is now, with its referee call and review.
import { byId, h, put } from "/static/page/dom.js";
import { ask, boot, change, onState, t } from "/static/page/live.js";
import { draw, standing } from "/hall-static/live/drawn.js";
import { since } from "/hall-static/live/follow.js";
import { onTable } from "/hall-static/live/one_table.js";

onState((state) => draw(state));
onTable((table) => (byId("of-staff") ? staff(table) : put("standing", standing(table))));

function staff(table) {
  put(
    "of-staff",
    table.call && [h("a", { class: "chip bad", href: "/calls" }, t("Referee, please"), ": ", table.call.who || t("the table's referee"), " ", since(h, table.call.since_ms), table.call.person && ` · ${t("{name} comes", { name: table.call.person })}`)],
    table.review
      ? [
          h("span", { class: "chip wait" }, t("under review"), " ", since(h, table.review.since_ms), ` · ${table.review.person}`, table.review.why && `: ${table.review.why}`),
          h("button", { type: "button", class: "primary", id: "release", onclick: () => change(review(), { do: "end" }) }, t("Release the score")),
        ]
      : h("button", { type: "button", id: "review", onclick: begin }, t("Put under review")),
  );
}
const review = () => `/api/live/${boot.hall.table}/review`;
async function begin() {
  const why = h("input", { id: "why", maxlength: 200 });
  const chosen = await ask(
    t("Put under review"),
    h("div", {}, h("p", {}, t("The public goes on seeing the table as it is now, until the score is released.")), h("label", { for: "why" }, t("Why (for the hall's people alone)")), why),
    [[t("Put under review"), "begin", "primary"]],
  );
  if (chosen) await change(review(), { do: "begin", why: why.value });
}
