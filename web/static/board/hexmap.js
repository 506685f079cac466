// A map of hexagonal spaces drawn from a game's view: land, tokens, mages, temples, and where a drawn tile can go.
import { h, s } from "/static/page/dom.js";
import { listedSeats, t } from "/static/page/live.js";
import { cube } from "/static/board/tiles.js";

// Ground, ink and sign of each kind of land: the sign tells it to who cannot tell colours apart.
const LAND = {
  imperium: ["#8a6bb8", "#fff", "★"],
  mountain: ["#efece4", "#222", "▲"],
  forest: ["#3d8a4c", "#fff", "♣"],
  desert: ["#ecca4c", "#332800", "☼"],
  village: ["#5b8fd6", "#06203f", "⌂"],
  river: ["#235f8c", "#fff", "≈"],
};
const WORDS = {
  imperium: () => t("starting tile"),
  mountain: () => t("mountain"),
  forest: () => t("forest"),
  desert: () => t("desert"),
  village: () => t("village"),
  river: () => t("river"),
};
const ELEMENTS = {
  fire: () => t("fire"),
  earth: () => t("earth"),
  air: () => t("air"),
  water: () => t("water"),
};
const SIGNS = { fire: "✶", earth: "◆", air: "☁", water: "≈" };
export const elementWord = (element) => ELEMENTS[element]?.() || element;
export const elementSign = (element) => SIGNS[element] || "";
export const landWord = (terrain) => WORDS[terrain]?.() || terrain;

/** The six corners of a space about (x, y), points up, as the text of a polygon. */
export function hexagon(x, y, side) {
  const half = (side * Math.sqrt(3)) / 2;
  const corners = [
    [0, -side],
    [half, -side / 2],
    [half, side / 2],
    [0, side],
    [-half, side / 2],
    [-half, -side / 2],
  ];
  return corners.map(([dx, dy]) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join(" ");
}

const text = (x, y, size, ink, what, more = {}) =>
  s("text", { x, y, "font-size": size, fill: ink, "text-anchor": "middle", ...more }, what);

function token(x, y, ground, ink, sign) {
  return [
    s("circle", { cx: x, cy: y, r: 8, fill: ground, stroke: "#0009" }),
    text(x, y + 4.2, 12, ink, sign, { "font-weight": 800 }),
  ];
}

/** The ground of a space with its sign and icons, at (x, y). */
export function ground(space, x, y, side) {
  const [fill, ink, sign] = LAND[space.terrain] || ["#999", "#fff", "?"];
  const sells = space.sells;
  const icons = [space.enemy_icon && "!", space.rift_icon && "◎"].filter(Boolean).join(" ");
  return [
    s("polygon", {
      points: hexagon(x, y, side - 0.6),
      fill,
      stroke: space.city ? "#ffe9a8" : "#0007",
      "stroke-width": space.city ? 2.6 : 1,
    }),
    text(x, y - side * 0.16, side * 0.48, ink, sign),
    icons && text(x + side * 0.52, y - side * 0.2, side * 0.44, ink, icons, { "font-weight": 800 }),
    sells && text(x, y + side * 0.76, side * 0.3, ink, `${elementSign(sells.element)}→${sells.gold}`, { "font-weight": 800 }),
  ];
}

function words(space) {
  const said = [`${space.slot}: ${landWord(space.terrain)}`];
  if (space.city) said.push(t("city"));
  const sells = space.sells;
  if (sells) said.push(t("buys {element} for {n} gold", { element: elementWord(sells.element), n: sells.gold }));
  if (space.enemies) said.push(t("enemies: {n}", { n: space.enemies }));
  if (space.rift_token) said.push(space.rift_token === "active" ? t("active rift") : t("inactive rift"));
  if (space.mages.length) said.push(listedSeats(space.mages));
  return said.join("; ");
}

function pieces(space, side) {
  const found = [];
  if (space.rift_token === "active") found.push((x, y) => token(x, y, "#a3156b", "#fff", "◎"));
  if (space.rift_token === "inactive") found.push((x, y) => token(x, y, "#8b8f94", "#fff", "–"));
  const enemies = space.enemies > 1 ? String(space.enemies) : "!";
  if (space.enemies) found.push((x, y) => token(x, y, "#8c1d18", "#fff", enemies));
  for (const letter of space.mages) found.push((x, y) => cube(letter, x - 8, y - 8, 16));
  const step = Math.min(17, (side * 1.6) / Math.max(1, found.length));
  return found.map((draw, i) => draw(space.x + (i - (found.length - 1) / 2) * step, space.y + side * 0.24));
}

const key = (act) => (event) => {
  if (["Enter", " "].includes(event.key)) {
    event.preventDefault();
    act();
  }
};

/** A place with its rim; `name` stands above the rim, which would cut it. */
function place(slot, label, drawn, outline, { tap, marked, wrong, can }, name = null) {
  const rim = marked.has(slot) ? "#1857d6" : wrong.has(slot) ? "#c62222" : can.has(slot) ? "#138a4c" : null;
  const act = tap
    ? {
        role: "button",
        tabindex: 0,
        "data-key": slot,
        "aria-pressed": String(marked.has(slot)),
        style: "cursor:pointer",
        onclick: () => tap(slot),
        onkeydown: key(() => tap(slot)),
      }
    : { role: "img" };
  const dashes = wrong.has(slot) ? "6 4" : null;
  return s(
    "g",
    {
      class: can.has(slot) ? "can" : null,
      "aria-label": wrong.has(slot) ? `${label}; ${t("look here")}` : label,
      ...act,
    },
    drawn,
    rim && s("polygon", { points: outline, fill: "none", stroke: rim, "stroke-width": 4, "stroke-dasharray": dashes }),
    name,
  );
}

/** What offers and news call a space: in its upper corner, beside the sign where something stands on that corner. */
function spaceName(space, side, standing) {
  const covered = standing.some((one) => Math.hypot(one.x - space.x, one.y - (space.y - side)) < side / 2);
  const [x, y] = covered ? [space.x - side * 0.52, space.y - side * 0.2] : [space.x, space.y - side * 0.62];
  return text(x, y, side * 0.28, LAND[space.terrain]?.[1] || "#222", space.slot, { class: "slotname" });
}

/** The map of `view`; see `board` for the options. */
export function hexMap(view, options) {
  const { side, spaces, temples, corners, sites } = view.map;
  const everywhere = [...spaces, ...sites];
  const xs = everywhere.map((one) => one.x),
    ys = everywhere.map((one) => one.y),
    edge = side * 1.15;
  const left = Math.min(...xs) - edge,
    top = Math.min(...ys) - edge;
  const box = `${left} ${top} ${Math.max(...xs) + edge - left} ${Math.max(...ys) + edge - top}`;
  const laid = spaces.map((space) =>
    place(
      space.slot,
      words(space),
      [
        ground(space, space.x, space.y, side),
        pieces(space, side),
      ],
      hexagon(space.x, space.y, side - 2),
      options,
      spaceName(space, side, [...temples, ...corners]),
    ),
  );
  const dashed = { fill: "#ffffff22", stroke: "var(--soft)", "stroke-dasharray": "4 4" };
  const free = sites.map((site) => {
    const outline = hexagon(site.x, site.y, side - 3);
    const name = text(site.x, site.y + 3, side * 0.3, "var(--soft)", site.slot);
    const drawn = [s("polygon", { points: outline, ...dashed }), name];
    return place(site.slot, t("{slot}: the tile can lie here", site), drawn, outline, options);
  });
  const box16 = { width: 16, height: 16, rx: 3, fill: "#fff6d8", stroke: "#7a5a00", "stroke-width": 1.6 };
  const token16 = ({ x, y }, sign) => {
    return [s("rect", { x: x - 8, y: y - 8, ...box16 }), text(x, y + 5, 13, "#4a3600", sign)];
  };
  const standing = temples.map((temple) => {
    const label = t("temple of {element}", { element: elementWord(temple.element) });
    return s("g", { role: "img", "aria-label": label }, token16(temple, elementSign(temple.element)));
  });
  const waiting = corners.map((corner) =>
    place(corner.slot, t("a temple can stand here"), token16(corner, "?"), hexagon(corner.x, corner.y, 11), options),
  );
  return s(
    "svg",
    { class: "hexmap", viewBox: box, role: "group", "aria-label": t("Table") },
    free,
    laid,
    standing,
    waiting,
  );
}

/** What the signs of the map mean. */
export function mapLegend() {
  const hex = (fill, ink, sign) => s("svg", { class: "sym", viewBox: "-20 -20 40 40" }, s("polygon", { points: hexagon(0, 0, 19), fill, stroke: "#0007" }), text(0, 8, 22, ink, sign));
  const disc = (fill, sign) => s("svg", { class: "sym", viewBox: "-10 -10 20 20" }, token(0, 0, fill, "#fff", sign));
  const rows = [
    ...Object.entries(LAND).map(([terrain, [fill, ink, sign]]) => [hex(fill, ink, sign), landWord(terrain)]),
    [disc("#8c1d18", "!"), t("enemy; a number: so many")],
    [disc("#a3156b", "◎"), t("active rift")],
    [disc("#8b8f94", "–"), t("inactive rift")],
    [h("b", {}, "!"), t("enemies come here")],
    [h("b", {}, "◎"), t("a rift opens here")],
    ...Object.keys(SIGNS).map((element) => [h("b", {}, SIGNS[element]), elementWord(element)]),
    [h("b", {}, "✶→2"), t("the village buys the element for so much gold")],
  ];
  return h(
    "details",
    { class: "legend" },
    h("summary", {}, t("What the symbols mean")),
    h("ul", {}, rows.map(([sign, word]) => h("li", {}, sign, h("span", {}, word)))),
  );
}
/** The drawn tile as it lies with this turn; its first space, which is put where one taps, has a bold rim. */
export function tilePicture(tile, turn, width = 84) {
  const side = 26,
    lying = tile.turns[turn];
  const xs = lying.map(([x]) => x),
    ys = lying.map(([, y]) => y);
  const left = Math.min(...xs) - side,
    top = Math.min(...ys) - side;
  const box = [left, top, Math.max(...xs) + side - left, Math.max(...ys) + side - top];
  const rim = { fill: "none", stroke: "#1857d6", "stroke-width": 3 };
  const height = (width * box[3]) / box[2];
  const label = tile.spaces.map((one) => landWord(one.terrain)).join(", ");
  return s(
    "svg",
    { viewBox: box.join(" "), width, height, role: "img", "aria-label": label },
    lying.map(([x, y], i) => ground(tile.spaces[i], x, y, side)),
    s("polygon", { points: hexagon(lying[0][0], lying[0][1], side - 3), ...rim }),
  );
}
