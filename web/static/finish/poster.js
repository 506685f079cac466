// The result as one picture to send around: an SVG drawn with its own colours, or the PNG of it.
import { s } from "/static/page/dom.js";
import { seatOf, t } from "/static/page/live.js";
import { cube, smallTile } from "/static/board/tiles.js";

const WIDTH = 1200,
  ROW = 132,
  HEAD = 210,
  FOOT = 60,
  TILE = 58;
const INK = "#1d2422",
  SOFT = "#56605c",
  GROUND = "#f4f2ec",
  CARD = "#fffefa";
// Pictures carry no style sheet: the variables of the pages as they are in light.
const VARIABLES =
  "--flora:#d9ecc9;--water:#cfe4f5;--fire:#fbdcc6;--bonus:#efe3bf;--end:#e2d9ee;--flora-ink:#2c5a1b;--water-ink:#164f7d;--fire-ink:#93330c;--bonus-ink:#6a5000;--end-ink:#4d2f78;--ink:#1d2422;--soft:#56605c;--card:#fffefa;--line:#d8d4c8";
const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const text = (x, y, size, what, more = {}) => s("text", { x, y, "font-size": size, fill: INK, ...more }, what);

const NAME_LETTERS = 36; // of this size, between the cube and a total of three digits
/** The day by the reader's clock, not by that of Greenwich: an evening in New York is the next day there. */
const today = () => new Date().toLocaleDateString("sv-SE"); // Swedish writes days as ISO 8601 does

/** A line that fits: shortened by an ellipsis, since a picture does not wrap. */
const fitted = (what, most) => (what.length <= most ? what : `${what.slice(0, most - 1)}…`);

function row(state, one, i) {
  const y = HEAD + i * ROW,
    own = state.view?.seats?.find((each) => each.seat === one.seat) || {},
    won = state.result.winners.includes(one.seat),
    tiles = own.captured?.[0]?.theme ? own.captured : [];
  return [
    s("rect", { x: 40, y, width: WIDTH - 80, height: ROW - 14, rx: 18, fill: CARD, stroke: won ? "#0b6158" : "#d8d4c8", "stroke-width": won ? 4 : 2 }),
    one.place ? text(70, y + 74, 40, `${one.place}.`, { "font-weight": 700, fill: SOFT }) : null,
    cube(one.seat, 124, y + 30, 58),
    text(204, y + 52, 34, fitted(seatOf(one.seat).name, NAME_LETTERS), { "font-weight": 700 }),
    tiles.map((tile, k) => {
      const drawn = smallTile(tile);
      for (const [key, value] of Object.entries({ x: 204 + k * (TILE * 0.82), y: y + 62, width: TILE * 0.78, height: TILE * 0.78 })) drawn.setAttribute(key, value);
      return drawn;
    }),
    text(WIDTH - 80, y + 82, 64, String(one.total), { "font-weight": 800, "text-anchor": "end" }),
  ];
}
/** The poster as an SVG element. */
export function poster(state) {
  const { ranking } = state.result,
    height = HEAD + ranking.length * ROW + FOOT;
  return s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}`, style: VARIABLES, "font-family": FONT, color: INK },
    s("rect", { width: WIDTH, height, fill: GROUND }),
    text(40, 78, 34, state.title, { fill: SOFT, "font-weight": 700 }),
    text(40, 130, 46, fitted(state.result.sentence.replace(/\s*\([^)]*\)\.?$/u, ""), 46), { "font-weight": 800 }),
    text(40, 174, 26, fitted(state.result.winners.length ? state.result.why : `${state.result.why} ${state.result.ended_by.title}`, 84), { fill: SOFT }),
    ranking.map((one, i) => row(state, one, i)),
    text(40, height - 26, 22, `${today()} · ${t("Tabletop companion")}`, { fill: SOFT }),
  );
}
const source = (state) => new XMLSerializer().serializeToString(poster(state));
function save(blob, ending, state) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${state.session}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
export const saveSvg = (state) => save(new Blob([source(state)], { type: "image/svg+xml" }), "svg", state);
export async function savePng(state) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source(state))}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  canvas.toBlob((blob) => save(blob, "png", state), "image/png");
}
