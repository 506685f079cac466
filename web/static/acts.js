// Telling what happened by tapping: places are chosen until they make a legal act; anything else is explained by the server.
import { change, onRefused, state } from "/static/live.js";

export class Tapping {
  /** `show` draws anew; acts are those of `state.actions` that `of` lets through. */
  constructor(show, of = () => true) { this.show = show; this.of = of; this.slots = []; this.wrong = new Set(); onRefused((error) => { this.wrong = new Set(error.facts?.slots || []); this.slots = []; show(); }); }
  acts() { return (state.actions || []).filter(this.of); }
  /** The acts that name exactly the chosen places, in any order. */
  fitting() { return this.slots.length ? this.acts().filter((act) => act.slots.length === this.slots.length && act.slots.every((slot) => this.slots.includes(slot))) : []; }
  /** The places that some act names beside those chosen. */
  can() { return new Set(this.acts().filter((act) => this.slots.every((slot) => act.slots.includes(slot))).flatMap((act) => act.slots).filter((slot) => !this.slots.includes(slot))); }
  async tap(slot) {
    this.wrong = new Set();
    if (this.slots.includes(slot)) this.slots = this.slots.filter((other) => other !== slot);
    else {
      const most = Math.max(1, ...this.acts().map((act) => act.slots.length));
      this.slots = [...this.slots.slice(this.slots.length >= most ? 1 : 0), slot];
      // Not legal, but somebody did it: ask the rules why not, in the words of a legal act of the same kind.
      const like = this.acts().find((act) => act.slots.length === 1);
      if (most === 1 && !this.fitting().length && like) { await this.play(like.text.replace(like.slots[0], slot)); return; }
    }
    this.show();
  }
  async play(...texts) {
    const answer = await change("/api/play", { texts });
    if (answer) this.slots = [];
    this.show();
    return answer;
  }
  clear() { this.slots = []; this.wrong = new Set(); this.show(); }
}
