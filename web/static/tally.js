// Score captured tiles from pictures: outlines, what they are, doubts to settle, sets, total, and who wins why.
import { clauseLink } from "/static/board/board.js";
import { byId, h, put, s } from "/static/page/dom.js";
import { change, devices, listed, look, say, send, state, t } from "/static/page/live.js";
import { smallTile, tileSvg, tileWords } from "/static/board/tiles.js";

let faces = {},
  game = "",
  asked = 0;
const MOST_LIKELY = 3; // of what a tile may be, shown as pictures; all others are in its list
const tallies = [];
const games = (await look("/api/games"))?.games.filter((one) => one.tally) || [];
put(
  "game",
  games.map((one) => h("option", { value: one.name }, one.title)),
);
byId("game").addEventListener("change", choose);
byId("more").addEventListener("click", () => {
  add("", "");
  show();
});
for (const seat of state.seats || [{ name: "" }, { name: "" }]) add(seat.name, seat.seat);
await choose(); // the cards are drawn once, with their faces: what has the focus is not drawn anew meanwhile
async function choose() {
  game = byId("game").value || "";
  faces = game ? (await look(`/api/games/${encodeURIComponent(game)}/faces`))?.faces || {} : {};
  show();
}
function add(name, seat) {
  tallies.push({ name: name || `${t("Player")} ${tallies.length + 1}`, seat: seat || "", tiles: [], doubts: [], url: "", size: [1, 1], hidden: [] });
}
function show() {
  put("tallies", tallies.map(card));
  score();
}
function card(tally, i) {
  const file = h("input", {
    type: "file",
    accept: "image/*",
    id: `file-${i}`,
    class: "visually-hidden",
    "data-key": `file-${i}`,
    onchange: (event) => read(tally, event.target.files[0]),
  });
  const chosen = tally.tiles.map((tile, k) =>
    h(
      "li",
      { class: "row" },
      h("span", { class: "num soft" }, String(k + 1)),
      asks(tile) ? question(tally, tile, k) : h("span", { class: "minis" }, tileSvg(faces[tile.face])),
      picker(tile, `${i}-${k}`),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-label": `${t("Remove")}: ${faces[tile.face] ? tileWords(faces[tile.face]) : k + 1}`,
          onclick: () => {
            tally.tiles.splice(k, 1);
            show();
          },
        },
        t("Remove"),
      ),
    ),
  );
  const box = h(
    "section",
    {
      class: "card",
      "aria-label": tally.name,
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => {
        event.preventDefault();
        read(tally, event.dataTransfer.files[0]);
      },
    },
    h("label", { for: `name-${i}` }, t("Player")),
    h("input", {
      id: `name-${i}`,
      value: tally.name,
      maxlength: 40,
      oninput: (event) => {
        tally.name = event.target.value;
        score();
      },
    }),
    devices.tally ? h("p", {}, h("label", { class: "button" }, t("Picture: drop it here, choose it, or shoot it"), file)) : null,
    tally.reading ? h("p", { class: "soft", role: "status" }, t("A moment…")) : null,
    tally.url ? outlines(tally) : null,
    tally.doubts.map((doubt) => h("p", { class: "chip wait" }, doubt)),
    tally.url && !tally.tiles.length
      ? h("p", { class: "soft" }, t("Take it once more: from above, sharp, in good light, the tiles side by side and filling the picture."))
      : null,
    tally.doubts.length && tally.tiles.length && !tally.tiles.some(asks)
      ? h("button", { type: "button", onclick: () => settle(tally) }, t("The list is right and complete"))
      : null,
    h("ul", { class: "steps", style: "margin-top:.6rem" }, chosen),
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          tally.tiles.push({ face: null, alternatives: [] });
          show();
        },
      },
      t("Add a tile"),
    ),
  );
  return box;
}
const asks = (tile) => tile.ask || !faces[tile.face];
/** The place of a tile that is not sure, from near, with what it is likely to be: one tap settles it. */
function question(tally, tile, k) {
  const likely = new Map();
  for (const face of tile.alternatives.slice(0, MOST_LIKELY).filter((one) => faces[one]))
    if (!likely.has(tileWords(faces[face]))) likely.set(tileWords(faces[face]), face);
  return h(
    "div",
    { class: "row", role: "group", "aria-label": `${t("Which tile?")} ${k + 1}` },
    h("span", { class: "chip wait" }, t("Which tile?")),
    tile.corners ? near(tally, tile) : null,
    [...likely].map(([words, face], rank) =>
      h(
        "button",
        { type: "button", class: "plain", "aria-label": words, onclick: () => answer(tile, face) },
        h("span", { class: "minis" }, tileSvg(faces[face])),
        rank || likely.size < 2 ? null : t("Likeliest"),
      ),
    ),
  );
}
function answer(tile, face) {
  Object.assign(tile, { face: face || null, ask: !face });
  show();
}
function settle(tally) {
  tally.doubts = [];
  show();
}
/** The part of the picture around a tile. */
function near(tally, tile) {
  const [width, height] = tally.size,
    xs = tile.corners.map(([x]) => x * width),
    ys = tile.corners.map(([, y]) => y * height),
    margin = 0.1 * (Math.max(...xs) - Math.min(...xs)),
    left = Math.min(...xs) - margin,
    top = Math.min(...ys) - margin,
    box = [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
  return s(
    "svg",
    { class: "tallynear", viewBox: box.join(" "), "aria-hidden": "true" },
    s("image", { href: tally.url, width, height }),
  );
}
/** What a tile can be, in words, each with one face of those that read alike: its own, else one that nobody has. */
function kinds(tile) {
  const taken = new Set(tallies.flatMap((tally) => tally.tiles.map((one) => one.face)));
  const free = (face) => !taken.has(face);
  const likely = (tile.alternatives || []).filter((face) => faces[face]);
  const every = [...likely, ...Object.keys(faces).filter((face) => !likely.includes(face))],
    found = new Map(every.map((face) => [tileWords(faces[face]), null]));
  for (const face of [tile.face, ...every.filter(free), ...every].filter((one) => faces[one]))
    found.set(tileWords(faces[face]), found.get(tileWords(faces[face])) || face);
  return [...found];
}
function picker(tile, id) {
  return h(
    "select",
    {
      "aria-label": t("Which tile?"),
      id: `tile-${id}`,
      style: "flex:1;min-width:9rem",
      onchange: (event) => answer(tile, event.target.value),
    },
    h("option", { value: "" }, t("Which tile?")),
    kinds(tile).map(([words, face]) => h("option", { value: face, selected: face === tile.face }, words)),
  );
}
const outlines = (tally) =>
  h(
    "div",
    { class: "tallyshot" },
    h("img", { src: tally.url, alt: t("Picture of {player}", { player: tally.name }) }),
    s(
      "svg",
      { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
      tally.tiles
        .filter((tile) => tile.corners)
        .map((tile) =>
          s("polygon", {
            class: asks(tile) ? "ask" : "",
            points: tile.corners.map((corner) => corner.join(",")).join(" "),
          }),
        ),
      tally.doubts.length && tally.hidden.length
        ? s("polygon", { class: "hides", points: tally.hidden.map((corner) => corner.join(",")).join(" ") })
        : null,
    ),
    tally.tiles.map((tile, k) =>
      tile.corners && asks(tile)
        ? h(
            "span",
            { class: "number", "aria-hidden": "true", style: `left:${middle(tile, 0)}%;top:${middle(tile, 1)}%` },
            String(k + 1),
          )
        : null,
    ),
  );
/** Where the middle of a tile is across or down its picture, in hundredths. */
const middle = (tile, axis) => tile.corners.reduce((sum, corner) => sum + 100 * corner[axis], 0) / tile.corners.length;
async function read(tally, file) {
  if (!file) return;
  tally.reading = true;
  show();
  const jpeg = await small(file).catch(() => null),
    data = jpeg && (await send(`/api/tally?${new URLSearchParams({ game, seat: tally.seat })}`, jpeg, "image/jpeg"));
  tally.reading = false;
  if (!jpeg) say({ message: t("This picture cannot be read.") });
  if (!data) {
    show();
    return;
  }
  URL.revokeObjectURL(tally.url);
  const { doubts, tiles, size, hidden } = data;
  Object.assign(tally, { url: URL.createObjectURL(jpeg), doubts, tiles, size, hidden });
  show();
}
/** At most 3000 px a side, as JPEG, whatever the phone shoots. */
async function small(file) {
  const image = await createImageBitmap(file),
    scale = Math.min(1, 3000 / Math.max(image.width, image.height)),
    canvas = h("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
}
async function score() {
  if (!game) return;
  const turn = ++asked,
    data = await change("/api/score", {
      game,
      players: tallies.map((tally) => tally.tiles.map((tile) => tile.face).filter(Boolean)),
    });
  if (!data || turn !== asked) return;
  const open = tallies.some((tally) => tally.doubts.length || tally.tiles.some(asks));
  const best = data.players.filter((player) => player.wins),
    names = listed(tallies.filter((_, i) => data.players[i].wins).map((tally) => tally.name));
  put(
    "verdict",
    h(
      "h2",
      {},
      tallies.every((tally) => !tally.tiles.length)
        ? t("No tile is counted yet.")
        : open
          ? t("Not sure yet: answer the question above.")
          : best.length === 1
            ? t("{player} wins", { player: names })
            : t("Shared: {players}", { players: names }),
    ),
    data.tie && tallies.some((tally) => tally.tiles.length)
      ? h("p", {}, t("Points are equal: then points of sets count, then who has the End tile."))
      : null,
    h(
      "div",
      { class: "columns even" },
      data.players.map((player, i) =>
        h(
          "div",
          {},
          h(
            "div",
            { class: "row spread" },
            h("strong", {}, tallies[i].name),
            h("span", { class: "num", style: "font-size:1.6rem;font-weight:800" }, String(player.total)),
          ),
          h(
            "table",
            {},
            h(
              "tbody",
              {},
              player.lines.map((line) =>
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    {},
                    line.text,
                    h("div", { class: "minis" }, line.faces.filter((face) => faces[face]).map((face) => smallTile(faces[face]))),
                  ),
                  h("td", {}, state.session ? clauseLink(line.clause) : line.clause),
                  h("td", { class: "num" }, String(line.points)),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
