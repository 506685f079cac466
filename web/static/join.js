// Takes the seat whose token stands behind the # of the address; that part never leaves the phone unasked.
import { change, onDevices } from "/static/live.js";

const token = location.hash.slice(1),
  seat = location.pathname.split("/").pop();
if (token) {
  history.replaceState(null, "", location.pathname);
  if (await change("/api/join", { seat, token })) location.replace(`/seat/${seat}`);
} else {
  // The same people play again: this phone was sent here just before its seat was carried over to the new game.
  let joined = null;
  onDevices((now) => {
    const taken = Boolean(now.seats?.find((one) => one.seat === seat)?.joined);
    if (taken && joined === false) location.reload();
    joined = taken;
  });
}
