// Takes the seat whose token stands behind the # of the address; that part never leaves the phone unasked.
import { change } from "/static/page/live.js";

const token = location.hash.slice(1),
  seat = location.pathname.split("/").pop();
if (token) {
  history.replaceState(null, "", location.pathname);
  if (await change("/api/join", { seat, token })) location.replace(`/seat/${seat}`);
}
