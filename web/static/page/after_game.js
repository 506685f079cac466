// What would tell the secrets of the game that is being played is offered when it is over; until then a page says so.
import { onState } from "/static/page/live.js";

onState((now) => {
  const playing = Boolean(now.session) && !now.over;
  for (const one of document.querySelectorAll("[data-after-game]")) one.hidden = playing;
  for (const one of document.querySelectorAll("[data-in-game]")) one.hidden = !playing;
});
