// The table accepted as it lies: the referee says how it lies and why; what every player is asked is in agreeing.js.
import { byId, h } from "/static/page/dom.js";
import { ask, change, look, nameOf, say, state, t } from "/static/page/live.js";

byId("lies")?.addEventListener("click", propose);

async function propose() {
  const number = state.number,
    table = await look("/api/lies");
  if (!table) return;
  if (!table.possible) {
    await ask(
      t("Accept the table as it is"),
      h("p", {}, t("This game's table does not show enough: enter what happened, or undo it.")),
      [],
    );
    return;
  }
  const rows = [],
    list = h("div", { class: "stack" });
  const add = (slot) => {
    const one = placeRow(table, slot);
    rows.push(one);
    list.append(one.element);
  };
  const why = h("input", { id: "why", maxlength: 300 });
  for (const slot of table.differs) add(slot);
  const more = h("button", { type: "button", "data-key": "one-more-place" }, t("One more place"));
  more.addEventListener("click", () => add(freePlace(table, rows)));
  const content = h(
    "div",
    { class: "stack" },
    h(
      "p",
      {},
      table.seen
        ? t("The camera sees these places differently from the record.")
        : t("For each place that differs from the record, enter what lies there."),
    ),
    list,
    more,
    h("label", { for: "why" }, t("Reason (kept in the record)")),
    why,
  );
  const yes = await ask(t("Accept the table as it is"), content, [[t("Ask everybody"), true, "primary"]]);
  if (!yes) return;
  const body = { why: why.value.trim(), slots: rows.map((row) => row.value()) };
  await change("/api/overrule", { ...body, expected: number });
}
/** What the camera sees differently is proposed to everybody as it lies, in one tap: the camera joined in mid game. */
export async function takeOver() {
  const number = state.number,
    table = await look("/api/lies");
  if (!table) return;
  if (!table.seen) {
    say({ message: t("the table has moved on: look again before you decide") });
    return;
  }
  const slots = table.differs.map((slot) => {
    const at = table.seen[slot];
    return { slot, face: at.face || "", pieces: at.pieces.map(([colour, count]) => ({ colour, count })) };
  });
  await change("/api/overrule", { why: t("The camera joined and sees the table so."), slots, expected: number });
}
const freePlace = (table, rows) =>
  Object.keys(table.slots).find((slot) => !rows.some((row) => row.slot() === slot)) || Object.keys(table.slots)[0];

/** A place with what lies there: the place, its tile, the number of each player's cubes. */
function placeRow(table, first) {
  const faces = [
    ...new Set(
      [...Object.values(table.slots), ...Object.values(table.seen || {})].map((at) => at.face).filter(Boolean),
    ),
  ].sort();
  const slot = h(
    "select",
    { "aria-label": t("Place"), class: "short" },
    Object.keys(table.slots).map((name) => h("option", { value: name, selected: name === first }, nameOf(name))),
  );
  const face = h(
    "select",
    { "aria-label": t("Tile"), class: "grow" },
    h("option", { value: "" }, t("no tile")),
    faces.map((one) => h("option", { value: one }, nameOf(one))),
  );
  const counts = (state.seats || []).map((seat) => {
    const input = h("input", { type: "number", min: 0, max: 9, class: "short", "aria-label": seat.name });
    return { colour: seat.colour, input, element: h("label", { class: "inline" }, seat.name, input) };
  });
  const fill = () => {
    const at = (table.seen || table.slots)[slot.value];
    // The camera cannot tell tiles that look the same apart: where the record's own lies still, it stays.
    const same = table.seen && !table.differs.includes(slot.value);
    face.value = (same ? table.slots[slot.value] : at).face || "";
    for (const one of counts) one.input.value = at.pieces.find(([colour]) => colour === one.colour)?.[1] || 0;
  };
  slot.addEventListener("change", fill);
  fill();
  const value = () => ({
    slot: slot.value,
    face: face.value,
    pieces: counts.map((one) => ({ colour: one.colour, count: Number(one.input.value) || 0 })),
  });
  return {
    element: h(
      "div",
      { class: "card row" },
      slot,
      face,
      counts.map((one) => one.element),
    ),
    value,
    slot: () => slot.value,
  };
}
