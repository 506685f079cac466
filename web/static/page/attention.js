// What somebody must see now comes into view when the page was scrolled away from it, as a phone is after a tap far down.
const TYPED_IN = "input, select, textarea, dialog *";
/** Scroll to `place` unless its beginning is in sight, or somebody is typing or asked something in a dialog. */
export function bringIntoView(place) {
  const { top } = place.getBoundingClientRect();
  if ((top >= 0 && top < innerHeight) || document.activeElement?.matches(TYPED_IN)) return;
  place.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}
