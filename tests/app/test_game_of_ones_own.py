"""A game in a folder of one's own gets what the shipped ones have: camera, tally, reminders, alerts, table."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from drawn_faces import drawn_tiles
from watched_table import WatchedTable
from web_kit import Caller, hosting, make_app

import companion.games
from calibration.box_file import EnrolledBox, write_box
from companion.app.camera.known_box import KnownBox
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.camera.picture_loop import PictureLoop
from companion.app.camera.watch.policy import FILM
from companion.app.camera.watch.table_watch import ALARM, TableWatch
from companion.app.commands.game.rules import score
from companion.app.wiring import open_host
from companion.core.duties import Duty
from companion.core.errors import DataError
from companion.core.inputs import ViewState
from companion.core.layout import EMPTY_SLOT
from companion.games import add_games, find_game
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.overdue import PATIENCE_MS
from vision.locate.markers import MarkerLayout
from web.ports.tables import SetupChoice

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "add-your-own-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"^File `([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.M | re.S)
WATCHED = Path(__file__).parents[1] / "data" / "own_game" / "watched.py"
PX_PER_MM = 3.0
HALF_WH_MM = (270.0, 220.0)
"""Half of the drawn table: the markers' rectangle and a margin."""


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the guide's game, which declares everything that a game can, registered for one test."""
    folder = tmp_path / "games"
    for name, text in FILE.findall(GUIDE):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copy(WATCHED, folder / "orchard")
    with (folder / "orchard" / "__init__.py").open("a", encoding="utf-8") as exported:
        exported.write("\nfrom companion.games.orchard.watched import watched\n\nGAME = watched(GAME)\n")
    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    add_games(folder)
    yield folder
    for name in [n for n in sys.modules if n.startswith("companion.games.orchard")]:
        del sys.modules[name]


@pytest.fixture
def one(games: Path, tmp_path: Path) -> Iterator[WatchedTable]:  # noqa: ARG001 - it registers the game
    """A dealt table for two under simulated eyes."""
    table = WatchedTable(tmp_path / "home", players=2, game="orchard")
    yield table
    table.close()


def takes(one: WatchedTable) -> list[str]:
    return [one.table.rules.format(act) for act in one.table.rules.legal_actions(one.table.session.state)]


def test_its_moves_are_seen_and_recorded(one: WatchedTable) -> None:
    text = takes(one)[0]
    one.stage(text)
    assert HappeningKind.EVENT in one.kinds()
    assert one.table.rules.format(one.table.session.line()[-1].event) == text


def test_its_clause_is_named_in_an_alarm_that_closes_when_the_table_is_right_again(one: WatchedTable) -> None:
    one.say(takes(one)[0])
    one.deal(Random(1))
    one.watch = one._new_watch()
    last = one.table.session.state.last
    lying = one.watch.tracker.view
    one.view = lying
    one.lay(last, EMPTY_SLOT)
    assert one.kinds() == [HappeningKind.ILLEGAL]
    assert one.alerts[ALARM]["clause"] == "O3"
    one.view = lying
    assert one.kinds() == [HappeningKind.CORRECTED]
    assert ALARM not in one.alerts


def test_its_reminders_have_its_clauses_and_its_words(one: WatchedTable) -> None:
    one.look(hand=False)
    one.look(PATIENCE_MS[Duty.TURN], hand=False)
    assert one.alerts["forgotten-turn"]["clause"] == "O2"
    one.say(takes(one)[0])
    one.view = one.watch.tracker.view
    one.look(hand=False)
    one.lay(one.table.session.state.last, EMPTY_SLOT)
    one.look(hand=False)
    one.look(PATIENCE_MS[Duty.REFILL], hand=False)
    shown = one.alerts.get("forgotten-refill")
    assert shown is None or (shown["clause"], shown["text"]) == ("O1", "A fruit is missing at {places}.")


@pytest.mark.usefixtures("games")
def test_its_captured_pieces_are_listed_and_tallied() -> None:
    listed = CliRunner().invoke(score, ["--list", "--game", "orchard", "--json"], catch_exceptions=False)
    assert {"id": "apple-1", "points": 1} in json.loads(listed.output)["pieces"]
    tally = CliRunner().invoke(score, ["apple-1", "apple-1", "--game", "orchard", "--json"], catch_exceptions=False)
    assert json.loads(tally.output)["total"] == 1 + 1 + 2  # O5: a point each, two for the pair
    with pytest.raises(DataError, match="no tile is called plum-9"):
        CliRunner().invoke(score, ["plum-9", "--game", "orchard"], catch_exceptions=False)


def test_its_table_and_its_faces_are_on_the_pages(one: WatchedTable) -> None:
    one.table.close()
    host = open_host(one.store, one.settings)
    try:
        host.resume("watched")
        app = make_app(host)
        state = Caller(app).state()
        assert {slot["slot"] for slot in state["board"]["slots"]} == {"r1c1", "r1c2", "r1c3", "r1c4"}
        assert host.faces("orchard")["apple-1"] == {"id": "apple-1", "fruit": "apple"}
        assert host.score("orchard", ["apple-1"]).total == 1
    finally:
        host.close()


def drawn_table(lying: dict[str, np.ndarray], rules) -> np.ndarray:
    """A picture straight from above: markers in their places, faces in the slots."""
    markers = MarkerLayout()
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    size = tuple(round(2 * half * PX_PER_MM) for half in HALF_WH_MM)
    sheet = np.full((size[1], size[0], 3), (96, 120, 140), np.uint8)

    def lay(picture: np.ndarray, xy_mm: tuple[float, float], side_mm: float) -> None:
        side = round(side_mm * PX_PER_MM)
        x, y = (round((at + half) * PX_PER_MM - side / 2) for at, half in zip(xy_mm, HALF_WH_MM, strict=True))
        sheet[y : y + side, x : x + side] = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)

    for marker, xy_mm in markers.centres_mm.items():
        printed = cv2.aruco.generateImageMarker(dictionary, marker, 240)
        lay(np.full((8, 8, 3), 255, np.uint8), xy_mm, markers.side_mm * 1.3)
        lay(cv2.cvtColor(printed, cv2.COLOR_GRAY2BGR), xy_mm, markers.side_mm)
    for outline in rules.layout().slots:
        corners = np.array(outline.corners_mm)
        lay(lying[outline.slot], tuple(corners.mean(0)), float(np.ptp(corners[:, 0])))
    return sheet


def test_its_dealt_tiles_are_read_from_a_picture(games: Path, tmp_path: Path) -> None:
    spec = find_game("orchard")
    faces = list(drawn_tiles(5).values())
    catalogue = spec.load_catalogue(spec.default_catalogue)
    names = [kind.id for kind in catalogue.kinds]
    pictures = dict(zip(names, faces, strict=False))
    box = tmp_path / "orchard.zip"
    text = (games / "orchard" / "catalogues" / "sample.toml").read_text(encoding="utf-8")
    write_box(box, EnrolledBox("orchard", text, {name: [picture] for name, picture in pictures.items()}))
    one = WatchedTable(tmp_path / "home", players=2, game="orchard")
    try:
        rules, state = one.table.rules, one.table.session.state
        lying = {slot: pictures[at.face] for slot, at in rules.board(state).slots}
        watch = TableWatch(spec, one.table.session, FILM)
        eyes = PictureEyes(KnownBox(box).reader(rules), stills=True)
        loop = PictureLoop(eyes, watch)
        assert loop.step(1, drawn_table(lying, rules), 0.0) == ()  # as it was dealt
        assert eyes.view.state is ViewState.SETTLED
        act = rules.legal_actions(state)[0]
        gone = {**lying, act.slot: np.full((8, 8, 3), (96, 120, 140), np.uint8)}
        (happening,) = loop.step(2, drawn_table(gone, rules), 1.0)
        assert rules.format(happening.event) == rules.format(act)
    finally:
        one.close()


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize(("followed", "note"), [
    (False, "Orchard sa zatiaľ kamerou sledovať nedá: čo sa deje, hovorte na stránkach"),
    (True, "Dieliky tejto krabice ešte nie sú známe: naučte svoju krabicu na stránke prípravy"),
])
def test_pages_say_why_the_camera_does_not_follow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, followed: bool, note: str
) -> None:
    package = import_module("companion.games.orchard")
    if not followed:
        monkeypatch.setattr(package, "GAME", replace(package.GAME, blame=None))
    with hosting(tmp_path / "home", game=False, camera="browser") as host:
        host.begin(SetupChoice("orchard", (("Eva", "red"), ("Ján", "blue"))))
        devices = Caller(make_app(host), "referee").http.get("/api/devices?lang=sk").get_json()
        assert devices["camera"]["note"] == note


@pytest.mark.parametrize(("line", "said"), [
    ("PAIRS = PAIR", r"NameError: .*\(slip/rules.py, line 4\)"),
    ("PAIRS = 1 / 0", r"ZeroDivisionError: .*\(slip/rules.py, line 4\)"),
    ("import nosuchpackage", r"No module named 'nosuchpackage' \(slip/rules.py, line 4\)"),
    ("def (", r"SyntaxError: invalid syntax \(rules.py, line 4\)"),
])
def test_a_slip_in_a_games_code_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    folder = tmp_path / "slips" / "slip"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from .rules import GAME\n", encoding="utf-8")
    (folder / "rules.py").write_text(f'"""Rules."""\n\n\n{line}\n', encoding="utf-8")
    monkeypatch.setattr(companion.games, "__path__", list(companion.games.__path__))
    add_games(folder.parent)
    try:
        with pytest.raises(DataError, match=said):
            find_game(folder.name)
    finally:
        for name in [name for name in sys.modules if name.startswith("companion.games.slip")]:
            del sys.modules[name]
