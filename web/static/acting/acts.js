// Telling what happened by tapping: places are chosen until they make a legal act; anything else the server explains.
import { h } from "/static/page/dom.js";
import { change, onRefused, state, t } from "/static/page/live.js";

/** Whether an act names places that cannot be tapped, since they are not on the picture, such as cards beside a map. */
export function untapped(act) {
  if (!act.slots.length) return false;
  const map = state.view?.map;
  const drawn = map ? [...map.spaces, ...map.sites, ...map.corners] : state.board?.slots;
  if (!drawn) return false;
  const shown = new Set(drawn.map((one) => one.slot));
  return !act.slots.every((slot) => shown.has(slot));
}
/** Buttons for acts without places; a kind with many of them becomes a list to choose from. */
export function plainActs(acts, play, button) {
  const kinds = [...new Set(acts.map((act) => act.kind))];
  return kinds.map((kind) => {
    const same = acts.filter((act) => act.kind === kind);
    if (same.length <= 12) return same.map(button);
    const list = h(
      "select",
      { style: "flex:1", "aria-label": t("What happens") },
      same.map((act) => h("option", { value: act.text }, act.sentence)),
    );
    return h(
      "div",
      { class: "row" },
      list,
      h("button", { type: "button", onclick: () => play(list.value) }, t("So it is")),
    );
  });
}
/** What sort of place it is: a gap is no card, whatever their numbers. */
const sort = (slot) => slot.replace(/\d+/g, "0");
export class Tapping {
  /** `show` draws anew; acts are those of `state.actions` that `of` lets through. With a name in `kept`, what is marked
   * outlives a reload of the page: it is kept for this tab alone, since places are secret until they are shown. */
  constructor(show, of = () => true, kept = null) {
    this.show = show;
    this.of = of;
    this.kept = kept;
    this.marked = [];
    this.wrong = new Set();
    if (kept) this.remember();
    onRefused((error) => {
      if (error.lost) return; // what was marked can be told again
      this.wrong = new Set(error.facts?.slots || []);
      this.slots = [];
      show();
    });
  }
  get slots() {
    return this.marked;
  }
  set slots(slots) {
    this.marked = slots;
    if (this.kept) sessionStorage.setItem(this.kept, JSON.stringify({ session: state.session, slots }));
  }
  remember() {
    const before = JSON.parse(sessionStorage.getItem(this.kept) || "{}");
    if (before.session !== state.session) return;
    this.marked = before.slots;
    this.keepPossible();
  }
  /** Places that were marked for an act that is not possible any more are marked no longer. */
  keepPossible() {
    if (this.slots.length && !this.can().size && !this.fitting().length) this.slots = [];
  }
  acts() {
    return (state.actions || []).filter(this.of);
  }
  /** The acts that name exactly the chosen places, in any order. */
  fitting() {
    return this.slots.length
      ? this.acts().filter(
          (act) => act.slots.length === this.slots.length && act.slots.every((slot) => this.slots.includes(slot)),
        )
      : [];
  }
  /** The places that some act names beside those chosen. */
  can() {
    return new Set(
      this.acts()
        .filter((act) => this.slots.every((slot) => act.slots.includes(slot)))
        .flatMap((act) => act.slots)
        .filter((slot) => !this.slots.includes(slot)),
    );
  }
  async tap(slot) {
    this.wrong = new Set();
    if (this.slots.includes(slot)) this.slots = this.slots.filter((other) => other !== slot);
    else {
      const most = Math.max(1, ...this.acts().map((act) => act.slots.length));
      this.slots = [...this.slots.slice(this.slots.length >= most ? 1 : 0), slot];
      // A place that goes with none of those marked begins anew.
      const goes = this.acts().some((act) => this.slots.every((one) => act.slots.includes(one)));
      if (!goes && this.acts().some((act) => act.slots.includes(slot))) this.slots = [slot];
      // Not legal, but somebody did it: ask the rules why not, in the words of a legal act of the same kind.
      const like = this.acts().find((act) => act.slots.length === 1 && sort(act.slots[0]) === sort(slot));
      if (most === 1 && !this.fitting().length && like) {
        await this.play(like.text.replace(like.slots[0], slot));
        return;
      }
    }
    this.show();
  }
  async play(...texts) {
    const answer = await change("/api/play", { texts });
    if (answer) this.slots = [];
    this.show();
    return answer;
  }
  clear() {
    this.slots = [];
    this.wrong = new Set();
    this.show();
  }
}
