// Score over the game, captures by round, where the points came from: drawings with a table behind each.
import { byId, h, put, s } from "/static/page/dom.js";
import { look, onState, t } from "/static/page/live.js";
import { cube, inkOf } from "/static/board/tiles.js";

const W = 560,
  H = 300,
  L = 44,
  B = 28;
// A narrow page shows the same drawing with larger letters (parts.css): a letter over a bar, the name under a group, and
// the letter over the highest bar need so much room.
const NARROW = matchMedia("(max-width: 700px)").matches,
  LETTER = NARROW ? 14 : 9,
  LABEL = NARROW ? 52 : 30,
  TOP = NARROW ? 26 : 16;
const DASH = ["", "7 4", "2 4", "10 3 2 3", "1 5"];
function frame(most, label) {
  const step = Math.max(1, Math.ceil(most / 5)),
    rows = [];
  for (let n = 0; n <= most; n += step)
    rows.push(
      s("line", { x1: L, x2: W - 30, y1: y(n, most), y2: y(n, most) }),
      s("text", { x: L - 8, y: y(n, most) + 4, "text-anchor": "end" }, String(n)),
    );
  return s("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label }, rows);
}
const y = (n, most) => H - B - (n / Math.max(1, most)) * (H - B - TOP);
function lines(data) {
  const points = data.points,
    most = Math.max(1, ...points.flatMap((point) => Object.values(point.totals)));
  const svg = frame(most, t("Score over the game")),
    x = (i) => L + 6 + (i / Math.max(1, points.length - 1)) * (W - L - 50);
  data.seats.forEach((seat, k) => {
    const path = points.map((point, i) => `${i ? "L" : "M"}${x(i)} ${y(point.totals[seat.seat] ?? 0, most)}`).join(" ");
    if (path)
      svg.append(
        s("path", {
          d: path,
          fill: "none",
          style: `stroke: color-mix(in srgb, ${inkOf(seat.colour)[0]} 75%, var(--ink))`,
          "stroke-width": 3,
          "stroke-dasharray": DASH[k],
        }),
        cube(seat.seat, W - 38, y(points.at(-1).totals[seat.seat] ?? 0, most) - 9 + k * 1.5, 18),
      );
  });
  let round = null,
    free = 0;
  points.forEach((point, i) => {
    if (data.rounds && point.round && point.round !== round && x(i) >= free) {
      round = point.round;
      free = x(i) + LABEL;
      svg.append(s("text", { x: x(i), y: H - 8, "text-anchor": "middle" }, t("R{n}", { n: round })));
    }
  });
  return svg;
}
function bars(groups, seats, label) {
  const most = Math.max(1, ...groups.flatMap((group) => Object.values(group.by))),
    svg = frame(most, label),
    width = (W - L - 20) / Math.max(1, groups.length),
    between = Math.min(10, width / 4), // a long game has narrow groups
    each = Math.min(26, (width - between) / seats.length),
    named = Math.ceil(LABEL / width);
  groups.forEach((group, i) => {
    const left = L + 6 + i * width + (width - between - each * seats.length) / 2;
    seats.forEach((seat, k) => {
      const n = group.by[seat.seat] || 0;
      svg.append(
        s("rect", {
          x: left + k * each,
          y: y(n, most),
          width: each * 0.88,
          height: H - B - y(n, most),
          rx: 2,
          fill: inkOf(seat.colour)[0],
          stroke: "#0006",
        }),
      );
      if (n && each >= LETTER)
        svg.append(
          s("text", { x: left + k * each + each / 2 - 1, y: y(n, most) - 3, "text-anchor": "middle" }, seat.seat),
        );
    });
    if (i % named === 0)
      svg.append(s("text", { x: left + (each * seats.length) / 2, y: H - 8, "text-anchor": "middle" }, group.name));
  });
  return svg;
}
/** Whose line, bar and letter is whose. */
const names = (seats) =>
  h(
    "p",
    { class: "chips" },
    seats.map((seat, k) =>
      h(
        "span",
        { class: "chip" },
        s("svg", { width: 22, height: 22, viewBox: "0 0 32 32", "aria-hidden": "true" }, cube(seat.seat, 0, 0, 32)),
        seat.name,
        s("svg", { width: 34, height: 8, "aria-hidden": "true" }, s("path", { d: "M0 4 H34", style: `stroke: color-mix(in srgb, ${inkOf(seat.colour)[0]} 75%, var(--ink))`, "stroke-width": 3, "stroke-dasharray": DASH[k] })),
      ),
    ),
  );
const table = (seats, rows) =>
  h(
    "details",
    { class: "small" },
    h("summary", {}, t("As a table")),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, ""),
          seats.map((seat) => h("th", { class: "num" }, seat.name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row.title || row.name),
            seats.map((seat) => h("td", { class: "num" }, String(row.by[seat.seat] || 0))),
          ),
        ),
      ),
    ),
  );
let number = -1;
onState(async (state) => {
  if (!state.session || state.number === number) return;
  number = state.number;
  const data = await look("/api/charts");
  if (!data || number !== state.number) return; // a later act's answer is the one that is drawn
  // What comes before the first round has the number 0, which people do not count.
  const roundOf = (n) => (!data.rounds ? t("whole game") : n ? t("R{n}", { n }) : t("start"));
  const rounds = data.captures.map((row) => ({ ...row, name: roundOf(row.round) })),
    sources = data.sources.map((row) => ({ ...row, name: row.clause }));
  put(
    "score",
    data.points.length
      ? [
          names(data.seats),
          lines(data),
          table(
            data.seats,
            data.points.slice(-12).map((point) => ({ name: data.rounds ? roundOf(point.round) : String(point.number), by: point.totals })),
          ),
        ]
      : h("p", { class: "soft" }, t("Nothing yet.")),
  );
  byId("captures").closest(".card").hidden = (state.over || !data.rounds) && !rounds.length; // nothing is captured in this game
  put(
    "captures",
    rounds.length
      ? [names(data.seats), bars(rounds, data.seats, t("Captures by round")), table(data.seats, rounds)]
      : h("p", { class: "soft" }, t("Nothing yet.")),
  );
  put(
    "sources",
    sources.length
      ? [
          names(data.seats),
          bars(sources, data.seats, t("Where the points came from")),
          h(
            "ul",
            { class: "small" },
            sources.map((row) => h("li", {}, `${row.clause} – ${row.title}`)),
          ),
          table(data.seats, sources),
        ]
      : h("p", { class: "soft" }, t("Nothing yet.")),
  );
  const times = data.times.map((row) => ({ ...row, name: roundOf(row.round) }));
  const timesTitle = data.rounds ? t("Time by round, in seconds") : t("Time, in seconds");
  put("times-title", timesTitle);
  put(
    "times",
    times.length
      ? [names(data.seats), bars(times, data.seats, timesTitle), table(data.seats, times)]
      : h("p", { class: "soft" }, t("Nothing yet.")),
  );
});
