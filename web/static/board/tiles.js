// Drawings of our own: tiles with theme, symbol, points, cubes and restrictions; cubes with colour, letter and pattern.
import { h, s } from "/static/page/dom.js";
import { pictureOf } from "/static/board/faces.js";
import { boot, seatOf, t } from "/static/page/live.js";

const COLOURS = {
  purple: ["#7a4fb0", "#fff"],
  gray: ["#6d7479", "#fff"],
  pink: ["#f08bb4", "#3a0a20"],
  white: ["#f7f5ee", "#222"],
  black: ["#26282a", "#fff"],
  red: ["#b8322c", "#fff"],
  blue: ["#2c5fa8", "#fff"],
  green: ["#2f7d46", "#fff"],
  yellow: ["#f0c52e", "#332800"],
  orange: ["#e98a2b", "#331a00"],
  brown: ["#7b5233", "#fff"],
};
export const inkOf = (colour) => COLOURS[colour] || ["#8a8f8c", "#fff"];
const PATTERN = {
  solid: () => null,
  stripes: (ink) =>
    [0, 8, 16, 24, 32].map((x) =>
      s("path", { d: `M${x - 10} 32 L${x + 10} 0`, stroke: ink, "stroke-width": 1.6, opacity: 0.45 }),
    ),
  dots: (ink) =>
    [5, 16, 27].flatMap((x) => [5, 16, 27].map((y) => s("circle", { cx: x, cy: y, r: 1.8, fill: ink, opacity: 0.5 }))),
  checks: (ink) => [0, 16].map((x) => s("rect", { x, y: x, width: 16, height: 16, fill: ink, opacity: 0.28 })),
  waves: (ink) =>
    [6, 16, 26].map((y) =>
      s("path", {
        d: `M0 ${y} q4 -5 8 0 t8 0 t8 0 t8 0`,
        fill: "none",
        stroke: ink,
        "stroke-width": 1.6,
        opacity: 0.5,
      }),
    ),
};
/** A player's cube at (x, y), `size` wide: colour, pattern and letter. */
export function cube(letter, x, y, size) {
  const seat = seatOf(letter),
    [ground, ink] = inkOf(seat.colour);
  return s(
    "svg",
    { x, y, width: size, height: size, viewBox: "0 0 32 32" },
    s("rect", { width: 32, height: 32, rx: 6, fill: ground, stroke: "#0008", "stroke-width": 1.5 }),
    PATTERN[seat.pattern || "solid"](ink),
    s("text", { x: 16, y: 22.5, "text-anchor": "middle", "font-size": 19, "font-weight": 800, fill: ink }, letter),
  );
}
export const mark = (letter) =>
  h("span", { class: "mark", "aria-hidden": "true" }, s("svg", { viewBox: "0 0 32 32" }, cube(letter, 0, 0, 32)));

const line = (d) =>
  s("path", {
    d,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2.4,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
const solid = (d) => s("path", { d, fill: "currentColor" });
const ring = (cx, cy, r) => s("circle", { cx, cy, r, fill: "none", stroke: "currentColor", "stroke-width": 2.4 });
const around = (n, r1, r2) =>
  Array.from({ length: n }, (_, i) => {
    const a = (i * 2 * Math.PI) / n;
    return line(
      `M${20 + r1 * Math.cos(a)} ${20 + r1 * Math.sin(a)} L${20 + r2 * Math.cos(a)} ${20 + r2 * Math.sin(a)}`,
    );
  });
// Within 40 x 40; by theme and number of the symbol, after the words of the sample edition.
const SYMBOLS = {
  flora: [
    () => [
      solid("M8 32 C6 14 18 6 34 6 C34 24 26 34 8 32Z"),
      s("path", { d: "M8 33 L26 14", stroke: "var(--flora)", "stroke-width": 2 }),
    ],
    () =>
      [0, 72, 144, 216, 288]
        .map((a) =>
          s("ellipse", { cx: 20, cy: 10.5, rx: 5.6, ry: 8, fill: "currentColor", transform: `rotate(${a} 20 20)` }),
        )
        .concat(s("circle", { cx: 20, cy: 20, r: 4, fill: "var(--flora)" })),
    () => [solid("M20 3 L31 17 H26 L34 29 H6 L14 17 H9Z"), solid("M17.5 28 h5 v9 h-5Z")],
    () => [
      solid("M4 20 C4 8 12 4 20 4 S36 8 36 20Z"),
      solid("M15 21 h10 l2 15 h-14Z"),
      s("circle", { cx: 14, cy: 13, r: 2.4, fill: "var(--flora)" }),
      s("circle", { cx: 25, cy: 11, r: 2, fill: "var(--flora)" }),
    ],
  ],
  water: [
    () => [10, 20, 30].map((y) => line(`M4 ${y} q4 -6 8 0 t8 0 t8 0 t8 0`)),
    () => [solid("M20 3 C30 17 33 22 33 26 A13 12 0 0 1 7 26 C7 22 10 17 20 3Z")],
    () => [
      solid("M20 34 C4 28 2 14 8 8 C14 3 26 3 32 8 C38 14 36 28 20 34Z"),
      ...[10, 20, 30].map((x) => s("path", { d: `M20 33 L${x} 8`, stroke: "var(--water)", "stroke-width": 2 })),
    ],
    () => [
      ...around(6, 0, 16),
      ...[0, 60, 120, 180, 240, 300].map((a) =>
        s("g", { transform: `rotate(${a} 20 20)` }, line("M15.5 6 L20 10.5 L24.5 6")),
      ),
    ],
  ],
  fire: [
    () => [solid("M20 2 C23 12 33 16 33 26 A13 12 0 0 1 7 26 C7 20 11 17 13 12 C15 16 17 17 18 18 C20 14 21 8 20 2Z")],
    () => [s("circle", { cx: 20, cy: 20, r: 8, fill: "currentColor" }), ...around(8, 12, 17)],
    () => [solid("M3 35 L14 14 h12 L37 35Z"), line("M17 10 V4"), line("M23 10 L26 4"), line("M20 10 V7")],
    () => [
      line("M14 8 h12"),
      line("M20 3 v5"),
      solid("M12 11 h16 l3 18 h-22Z"),
      line("M14 33 h12"),
      s("circle", { cx: 20, cy: 20, r: 4, fill: "var(--fire)" }),
    ],
  ],
};
// Of the picture of a tile of the own box the middle is shown, where its emblem is: what is printed around it is drawn.
const EMBLEM = { x: -11, y: -11, width: 62, height: 62 };
function symbolOf(tile) {
  if (boot.own_art && tile.id)
    return [s("image", { href: pictureOf(tile.id), ...EMBLEM })];
  if (tile.theme === "bonus")
    return [
      solid("M20 3 L35 12 V28 L20 37 L5 28 V12Z"),
      s("path", { d: "M20 9 L30 15 V25 L20 31 L10 25 V15Z", fill: "var(--bonus)" }),
    ];
  if (tile.theme === "end")
    return [ring(20, 20, 15), ring(20, 20, 9), s("circle", { cx: 20, cy: 20, r: 3.5, fill: "currentColor" })];
  return SYMBOLS[tile.theme]?.[tile.symbol - 1]?.() || [];
}
const STAR = "M12 1.6 L15.2 8.3 L22.5 9.2 L17.1 14.3 L18.5 21.6 L12 18 L5.5 21.6 L6.9 14.3 L1.5 9.2 L8.8 8.3Z";
const THEME_WORDS = {
  flora: () => t("flora"),
  water: () => t("water"),
  fire: () => t("fire"),
  bonus: () => t("bonus"),
  end: () => t("End tile"),
};
export const themeWord = (theme) => THEME_WORDS[theme]?.() || theme;
/** What a tile says, for who cannot see it. */
export function tileWords(tile) {
  const words = [themeWord(tile.theme)];
  if (tile.symbol) words.push(tile.symbol_name || String(tile.symbol));
  words.push(t("points: {n}", { n: tile.vp }), t("cubes to capture: {n}", { n: tile.cubes }));
  if (tile.requires?.length) words.push(`${t("restricted to")} ${tile.requires.map(themeWord).join(", ")}`);
  return words.join(", ");
}
/** The tile as it is printed, where the table is a film of our own; the rest is drawn over it. */
const art = (tile) => s("image", { href: `/api/art/${tile.id}`, x: 3, y: 3, width: 94, height: 94 });
/** A captured tile where there is little room: theme, symbol and points. */
export function smallTile(tile) {
  if (boot.art) return s("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": tileWords(tile) }, art(tile));
  const ink = `var(--${tile.theme}-ink)`;
  return s(
    "svg",
    { viewBox: "0 0 100 100", role: "img", "aria-label": tileWords(tile) },
    s("rect", {
      x: 2,
      y: 2,
      width: 96,
      height: 96,
      rx: 14,
      fill: `var(--${tile.theme})`,
      stroke: ink,
      "stroke-width": 4,
    }),
    s(
      "svg",
      { x: 38, y: 38, width: 54, height: 54, viewBox: "0 0 40 40" },
      s("g", { style: `color:${ink}` }, symbolOf(tile)),
    ),
    s("text", { x: 12, y: 50, "font-size": 46, "font-weight": 800, fill: ink }, String(tile.vp)),
  );
}
/** What is printed on a tile, drawn: symbol, points, restrictions, cubes to capture; smaller where cubes lie on it. */
function printed(tile, ink, covered) {
  const needed = Array.from({ length: tile.cubes }, (_, i) =>
    s("rect", {
      x: 50 - tile.cubes * 5 + i * 10 + 1,
      y: 87.5,
      width: 7.5,
      height: 7.5,
      rx: 1.5,
      fill: "none",
      stroke: ink,
      "stroke-width": 1.5,
    }),
  );
  return [
    s(
      "svg",
      {
        x: covered ? 34 : 27,
        y: covered ? 22 : 27,
        width: covered ? 32 : 46,
        height: covered ? 32 : 46,
        viewBox: "0 0 40 40",
        color: ink,
      },
      s("g", { color: ink, style: `color:${ink}` }, symbolOf(tile)),
    ),
    s(
      "svg",
      { x: 4, y: 3, width: 27, height: 27, viewBox: "0 0 24 24" },
      s("path", { d: STAR, fill: ink }),
      s(
        "text",
        { x: 12, y: 15.8, "text-anchor": "middle", "font-size": 9.5, "font-weight": 800, fill: `var(--${tile.theme})` },
        String(tile.vp),
      ),
    ),
    (tile.requires || []).map((theme, i) =>
      s(
        "svg",
        { x: 79 - i * 18, y: 5, width: 16, height: 16, viewBox: "-2 -2 44 44" },
        s("circle", {
          cx: 20,
          cy: 20,
          r: 21,
          fill: `var(--${theme})`,
          stroke: `var(--${theme}-ink)`,
          "stroke-width": 3,
        }),
        s("g", { style: `color:var(--${theme}-ink)`, transform: "translate(8 8) scale(.6)" }, SYMBOLS[theme]?.[0]()),
      ),
    ),
    needed,
  ];
}
/** A tile, 100 x 100; `cubes` are seats' letters in the order they lie. */
export function tileSvg(tile, cubes = []) {
  const ink = `var(--${tile.theme}-ink)`;
  // In one row, between the symbol and the cubes to capture, however many.
  const pitch = Math.min(25, 88 / cubes.length);
  const lie = cubes.map((letter, i) => cube(letter, 50 - (cubes.length * pitch) / 2 + i * pitch, 58, pitch - 2));
  return s(
    "svg",
    { viewBox: "0 0 100 100", role: "img", "aria-label": tileWords(tile) },
    s("rect", {
      x: 1,
      y: 1,
      width: 98,
      height: 98,
      rx: 11,
      fill: `var(--${tile.theme})`,
      stroke: ink,
      "stroke-width": tile.start ? 2.4 : 1.2,
    }),
    boot.art ? art(tile) : printed(tile, ink, cubes.length > 0),
    lie,
  );
}
/** An Equilibrium card as a line. */
export const cardWords = (card) =>
  `${t("points: {n}", { n: card.points })}: ${card.symbols.map((x) => `${themeWord(x.theme)} ${x.symbol}`).join(" + ")}`;
