// Learning a box: the camera's picture with the outlines of what lies there, what was taken, what is asked, how far it is.
import { byId, h, put, s } from "/static/page/dom.js";
import { drawn, fieldsOf, pictureOf, valueOf, wordsOf } from "/static/enrol/values.js";
import { asksOf, drawQuestion, nextQuestion } from "/static/enrol/questions.js";
import { loadBox } from "/static/enrol/load_box.js";
import "/static/enrol/photograph.js";
import { nameResource } from "/static/market/symbols.js";
import { closeToast } from "/static/page/toast.js";
import { boot, change, isPictureOld, look, showPicture, state, stayThroughGames, t } from "/static/page/live.js";

stayThroughGames();
const ASK_MS = 900,
  SLOW_MS = 4000;
let course = null,
  asked = null, // what a person tapped to correct: { piece, key }
  busy = false,
  justSaved = false,
  lying = null;
let game = new URLSearchParams(location.search).get("game") || "";

function choose(name) {
  game = name;
  history.replaceState(null, "", `?game=${encodeURIComponent(name)}`); // read again, the page goes on with this game
  lying = null;
  load();
}
async function load() {
  const data = await look(`/api/enrol${game ? `?game=${encodeURIComponent(game)}` : ""}`);
  if (data) show(data);
}
/** Do something with the course; what it is then is shown. */
async function act(todo) {
  if (busy) return;
  busy = todo.do;
  document.body.setAttribute("aria-busy", "true");
  enable();
  const corrected = asked;
  const data = await change("/api/enrol", { game: course.game, ...todo });
  busy = false;
  document.body.removeAttribute("aria-busy");
  if (data) {
    asked = null;
    justSaved = todo.do === "save";
    show(data);
    showNext(corrected);
  } else enable();
}
const coloursLearnt = () => course.colour_groups.every((group) => group.learnt);
/** On a small screen what comes next is brought into sight: the question, what is to be looked over (the piece that was
 *  `corrected` among them), the camera, the colours, the end. */
function showNext(corrected = null) {
  const open = course.pieces.some((piece) => !piece.kept);
  if (corrected && !nextQuestion(course)) {
    document.querySelector(`.piece[data-piece="${corrected.piece}"]`)?.scrollIntoView({ block: "center" });
    return;
  }
  const next = nextQuestion(course) ? "question-card" : open ? "open-card" : course.trouble ? "lay-title" : coloursLearnt() ? "save-box" : "colours-card";
  const { top, bottom } = byId(next).getBoundingClientRect();
  const seen = top < innerHeight / 2 && (next === "open-card" ? bottom > 0 : top >= 0);
  if (!seen) byId(next).scrollIntoView({ block: next === "save-box" ? "center" : "start" });
}
/** What is to be laid out now, by how far the course is. */
function layTitle() {
  const many = course.form.many;
  if (!course.trouble) return t("All are learnt");
  return course.pieces.some((piece) => piece.kept) ? t("Lay out the next {many}, up to twelve", { many }) : t("Lay out up to twelve {many}", { many });
}
function show(data) {
  course = data;
  game = data.game;
  nameResource(course.form.resource);
  put("lay-title", layTitle());
  put(
    "game-place",
    course.games.length > 1
      ? h("select", { "aria-label": t("Game"), id: "game", onchange: (event) => choose(event.target.value) },
          course.games.map((one) => h("option", { value: one.name, selected: one.name === course.plays }, one.title)))
      : null,
  );
  put("sorts", course.sorts.length > 1
    ? course.sorts.map((one) =>
        h("button", { type: "button", "data-key": one.name, "aria-pressed": String(one.name === course.game), onclick: () => choose(one.name) }, one.title))
    : null);
  showProgress();
  showPieces();
  showQuestion();
  showColours();
  showNumbers();
  put("box-note", course.trouble || (coloursLearnt() ? t("Everything is there: save the box.") : t("Only the colours of the pieces are not learnt yet: learn them first.")));
  put("saved", course.saved
    ? [t("Saved and used:"), " ", h("a", { href: `/api/boxes/${encodeURIComponent(course.saved)}`, download: course.saved }, course.saved), " ",
       toSetup(justSaved)]
    : null);
  enable();
}
const toSetup = (next) => h("a", { class: next ? "button primary big" : "button", href: `/setup?game=${encodeURIComponent(course.plays)}` }, t("To the set-up"));
function showColours() {
  const groups = course.colour_groups,
    count = groups.flatMap((group) => group.names).length,
    learnt = coloursLearnt();
  byId("colours-card").hidden = !count; // no piece stands on the table of this game
  put("colours-note", learnt
    ? t("The colours of the pieces are learnt.")
    : [t("Put one to three pieces of each in columns on the bare table between the markers, from left to right: {names}.",
        { names: groups.flatMap((group) => group.names).join(", ") }),
      groups.length > 1
        ? " " + t("No table may look like one of them: else learn each group by itself, on white paper or a dark cloth.")
        : ""]);
  put("colour-groups", [
    ...groups.map((group, number) =>
      h("div", { class: "row spread" },
        h("span", { class: "row" },
          group.names.map((name, piece) =>
            h("button", { type: "button", class: "plain", "data-colour": `${number}.${piece}`,
              "aria-label": t("Learn {name} alone", { name }), onclick: () => learnColours({ group: number, piece }) }, name)),
          group.learnt ? h("span", { class: "chip ok" }, t("learnt")) : null),
        groups.length > 1
          ? h("button", { type: "button", "data-group": number, onclick: () => learnColours({ group: number }) },
              t("Learn these {n}", { n: group.names.length }))
          : null)),
    h("p", { class: "small" }, t("A colour alone: lay only pieces of it there, and tap its name.")),
  ]);
  put("colours", groups.length > 1 ? t("Learn all {n} at once", { n: count }) : t("Learn the colours"));
}
/** What stands on no piece, to be written in; what is left empty stays as in the sample edition. */
function showNumbers() {
  const asked = course.form.asked,
    said = asked.filter((one) => one.value !== null).length;
  byId("numbers-card").hidden = !asked.length;
  put("numbers-note", said ? t("{n} of {of} are said, the rest is as in the sample edition", { n: said, of: asked.length }) : t("as in the sample edition, until you say it"));
  if (byId("numbers").contains(document.activeElement)) return;
  put("number-fields", asked.map((one) =>
    h("label", {}, one.title,
      h("input", { type: "number", class: "short", name: one.key, min: one.least, max: one.most, step: 1, value: one.value === null ? "" : one.value, placeholder: one.sample }))));
}
/** What is learnt is in the newest picture: all pieces, those of one group, or those of one colour. */
async function learnColours(which) {
  if (await change("/api/setup/learn", { what: "colours", game: course.plays, ...which })) {
    closeToast();
    await load();
    if (!course.trouble) showNext();
  }
}
function showProgress() {
  const byNumber = new Map(course.pieces.map((piece) => [piece.number, piece]));
  put(
    "progress",
    course.progress.map((line) => {
      const state = line.wrong ? "bad" : line.have >= line.want ? "ok" : "wait";
      return h(
        "li",
        { class: state },
        h("div", { class: "row spread counted" }, h("span", {}, line.text), h("span", { class: `chip num ${state}` }, `${line.have} / ${line.want}`)),
        h("div", { class: "bar", "aria-hidden": "true" }, h("span", { style: `width:${Math.min(100, (100 * line.have) / Math.max(1, line.want))}%` })),
        line.wrong && line.pieces.length
          ? h("div", { class: "concerned" }, line.pieces.filter((n) => byNumber.has(n)).map((n) =>
              h("button", { type: "button", "aria-label": t("piece {n}", { n }), onclick: () => openKept(n) }, h("img", { src: pictureOf(course, byNumber.get(n)), alt: "" }))))
          : null,
      );
    }),
  );
}
function openKept(number) {
  byId("kept-list").open = true;
  document.querySelector(`#kept [data-piece="${number}"]`)?.scrollIntoView({ block: "center" });
}
function showPieces() {
  const open = course.pieces.filter((piece) => !piece.kept),
    kept = course.pieces.filter((piece) => piece.kept);
  byId("open-card").hidden = !open.length;
  byId("kept-card").hidden = !kept.length;
  put("open", open.map(pieceCard));
  put("kept-title", t("Learnt: {n}", { n: kept.length }));
  put("kept", kept.map(pieceCard));
  put("keep", t("Keep these {n}", { n: open.length }));
}
function pieceCard(piece) {
  const fields = fieldsOf(course, piece),
    parts = [...new Set(fields.map((field) => field.part))].sort((a, b) => a - b);
  const unsure = fields.some((field) => piece.fields[field.key] && !piece.fields[field.key].sure);
  return h(
    "div",
    { class: `piece ${unsure ? "asked" : ""} ${parts.some((part) => part !== null) ? "compound" : ""}`, "data-piece": piece.number },
    h("img", { src: pictureOf(course, piece), alt: t("piece {n}", { n: piece.number }) }),
    parts.map((part) =>
      h(
        "div",
        { class: part === null ? "read" : "read of-space" },
        part === null ? "" : h("img", { class: "space", src: pictureOf(course, piece, part), alt: "" }),
        fields.filter((field) => field.part === part).map((field) => readButton(piece, field)),
      )),
    piece.like.length ? likeNote(piece) : null,
    h(
      "div",
      { class: "tools" },
      h("button", { type: "button", "aria-label": t("turn it"), onclick: () => act({ do: "turn", piece: piece.number, quarters: 1 }) }, "↻"),
      h("button", { type: "button", "aria-label": t("remove it"), onclick: () => act({ do: "drop", piece: piece.number }) }, "×"),
    ),
  );
}
function readButton(piece, field) {
  const read = piece.fields[field.key];
  const value = valueOf(piece, field.key);
  return h(
    "button",
    {
      type: "button", class: read && !read.sure ? "unsure" : "", "data-field": field.key, "data-shows": value ?? "",
      "aria-label": `${field.title}: ${wordsOf(field, value)}`,
      onclick: () => { asked = { piece: piece.number, key: field.key }; showQuestion(); byId("question-card").scrollIntoView({ block: "nearest" }); },
    },
    drawn(course, field, value, piece),
  );
}
const likeNote = (piece) =>
  h(
    "p",
    { class: "small soft" },
    t("Another copy of one that is learnt."),
    " ",
    h("button", { type: "button", class: "plain", onclick: () => act({ do: "again", piece: piece.number, of: piece.like[0] }) }, t("It is the same one again")),
  );
function showQuestion() {
  let question = nextQuestion(course),
    cancel = null;
  if (asked) {
    const piece = course.pieces.find((one) => one.number === asked.piece);
    const field = course.form.fields.find((one) => one.key === asked.key);
    question = piece ? { field, items: [{ piece, field }] } : question;
    cancel = () => { asked = null; showQuestion(); };
  }
  byId("question-card").hidden = !question;
  put("question", question ? drawQuestion(course, question, (answers) => act({ do: "tell", answers }), cancel) : null);
  byId("question-card").dataset.asks = question ? asksOf(question) : "";
}

function enable() {
  const clear = course && !nextQuestion(course) && course.pieces.some((piece) => !piece.kept);
  const working = Boolean(busy);
  byId("keep").disabled = working || !clear;
  byId("turn-all").disabled = working;
  const whole = Boolean(course) && !course.trouble;
  byId("save-box").disabled = working || !whole;
  put("save-box", busy === "save" ? t("A moment…") : t("Save the box"));
  const colours = Boolean(course) && coloursLearnt();
  byId("colours").classList.toggle("primary", whole && !colours);
  byId("save-box").classList.toggle("primary", whole && colours && !justSaved);
  byId("take").classList.toggle("primary", !whole && !course?.pieces.some((piece) => !piece.kept));
  const good = lying ? lying.pieces.filter((one) => !one.fault).length : 0;
  byId("take").disabled = working || !good || Boolean(lying.trouble);
  put("take", busy === "take" ? t("A moment…") : good ? t("Take these {n}", { n: good }) : t("Take them"));
}
byId("take").addEventListener("click", () => act({ do: "take" }));
byId("keep").addEventListener("click", () => act({ do: "keep" }));
byId("turn-all").addEventListener("click", () => act({ do: "turn", piece: 0, quarters: 1 }));
byId("save").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "save", title: byId("title").value.trim() });
});
byId("numbers").addEventListener("submit", (event) => {
  event.preventDefault();
  document.activeElement?.blur(); // what was said is shown
  const numbers = [...new FormData(event.target)].filter(([, value]) => value !== "").map(([key, value]) => ({ key, value: Number(value) }));
  act({ do: "say", numbers });
});
byId("anew").addEventListener("click", () => {
  if (confirm(t("Forget all pieces that were taken? Boxes that were saved stay."))) act({ do: "anew" });
});
byId("colours").addEventListener("click", () => learnColours({}));
byId("file").addEventListener("change", async (event) => {
  const loaded = await loadBox(event, course.plays);
  if (loaded) put("saved", [loaded.text, " ", loaded.ok ? toSetup(true) : ""]);
});

// What lies there, again and again; the picture and its outlines belong together closely enough for what lies still.
async function watch() {
  const picture = byId("camera");
  let pause = ASK_MS;
  try {
    if (!busy && !document.hidden) {
      const seen = await fetch(`/api/enrol/look?game=${encodeURIComponent(game)}&lang=${boot.language}`);
      const data = await seen.json();
      lying = data.error ? { pieces: [], trouble: data.error.message, remedy: data.error.remedy || "", by: "" } : data;
      picture.hidden = !lying.by || Boolean(await showPicture(picture, !state.session)); // in a game: whole, not the slots from near
      // Who looks over what was taken lays nothing meanwhile.
      if (course.pieces.some((piece) => !piece.kept)) pause = SLOW_MS;
      showLying();
      enable();
    }
  } catch {
    pause = SLOW_MS; // the banner says that the link is lost
  }
  setTimeout(watch, document.hidden ? SLOW_MS : pause);
}
function showLying() {
  byId("outlines").replaceChildren(
    ...lying.pieces.map((one) =>
      s("polygon", { class: one.fault ? "bad" : "", points: one.corners.map(([x, y]) => `${1000 * x},${1000 * y}`).join(" ") }),
    ),
  );
  const faults = [...new Set(lying.pieces.map((one) => one.fault).filter(Boolean))];
  const bad = lying.pieces.filter((one) => one.fault).length;
  const old = lying.by && isPictureOld() ? t("The camera's picture is old: what moves now is not seen.") : "";
  put("seen", [
    old ? h("strong", {}, old, " ") : "",
    lying.trouble ? `${lying.trouble} ${lying.remedy}` : t("{n} are seen.", { n: lying.pieces.length }),
    lying.trouble ? "" : h("span", {}, " ", t("If one is not outlined, move it, or lay a plain cloth under all.")),
    bad ? h("span", {}, " ", t("{n} cannot be taken so:", { n: bad }), " ", faults.join(" ")) : "",
    lying.by === "pieces" && lying.pieces.length
      ? h("span", {}, " ", t("No markers are seen: edges and light are told less exactly. A box learnt so miscounts gray pieces on its tiles more often. Better lay the markers.")) : "",
  ]);
}
put("seen", t("The camera's picture is looked at …"));
await load();
watch();
