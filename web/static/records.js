// The records of the game as a page lists them: each once, in their order, and none lost between the page and its stream.
import { boot, look, onRecord, onState, state } from "/static/page/live.js";

/** The numbers of those of `records` that were taken back: the game is not what it was after one of them. */
export function takenBack(records) {
  const spans = records.filter((record) => record.kind === "undo").map(({ number, body }) => [body.to, number]);
  return new Set(records.map(({ number }) => number).filter((n) => spans.some(([to, by]) => to < n && n < by)));
}
/** Call `show` with all records after number `after`, the oldest first, whenever one more is known. */
export function followRecords(after, show) {
  const known = new Map(),
    as = boot.as ? `as=${boot.as}&` : "";
  let asking = false,
    again = false; // a state came while no answer had: what was lost then is asked for once more
  const add = (records) => records.forEach((record) => record.number > after && known.set(record.number, record));
  const shown = () => show([...known.values()].sort((a, b) => a.number - b.number));
  const lacking = () => {
    for (let number = after + 1; number <= state.number; number++) if (!known.has(number)) return number;
    return 0;
  };
  async function ask() {
    again = asking;
    if (asking) return;
    asking = true;
    try {
      for (let first = lacking(); first; ) {
        const data = await look(`/api/records?${as}after=${first - 1}`);
        add(data?.records || []);
        const next = lacking();
        first = next > first ? next : 0;
      }
    } finally {
      asking = false; // without an answer the next state asks again
      shown();
      if (again && lacking()) ask();
    }
  }
  onRecord((record) => {
    add([record]);
    if (!asking) shown();
  });
  onState(() => lacking() && ask());
}
