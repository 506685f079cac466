"""The camera's thread of a followed table on rendered pictures: boards read at the reveal, a film without boards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from learnt_sets import learnt
from shortened_film import DEMO, shortened

from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.camera.picture_loop import PictureLoop, PictureStep
from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.camera.watch.unread_boards import BOARDS, FROM_MOVES
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import attach_box, attach_camera, begin_table
from companion.core.events import CauseKind, RecordKind
from companion.core.inputs import ViewState
from companion.core.messages import NO_MESSAGE
from companion.core.types import Seat, SeatInfo
from companion.games.envyra.state import Phase
from companion.table.commands import Play
from companion.table.record.store import Store
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from vision.scenes.scene_set import picture
from vision.sources import SourceStatus
from vision.sources.base import Health

SAMPLE = Path(__file__).parents[2] / "vision" / "fixtures" / "sample"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=str(tmp_path / "home"))


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    with open_store(settings) as opened:
        yield opened


def begun(store: Store, settings: Settings, catalogue: Path, colours: list[str]) -> Table:
    """A game with these tiles, nothing dealt yet."""
    seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(colours))
    return begin_table(store, settings, NewGame("envyra", seats, catalogue=str(catalogue), session="x"))


def say(table: Table, *texts: str) -> None:
    answer = table.session.ask(Play(texts=texts))
    assert answer.accepted, answer


def events(store: Store) -> list[tuple[str, CauseKind, dict]]:
    found = [r for r in store.records("x") if r.kind is RecordKind.EVENT]
    return [(dict(r.body)["text"], r.cause.kind, dict(r.cause.detail)) for r in found]


def dealt_like(shown: set[str], path: Path) -> Path:
    """The rendered set's catalogue, the tiles that its picture shows marked as Starting tiles: they can be dealt."""
    document = json.loads((SAMPLE / "catalogue.json").read_text(encoding="utf-8"))
    start = {tile["id"] for tile in document["tiles"] if tile["start"]}
    for gone, come in zip(sorted(start - shown), sorted(shown - start), strict=False):
        start = start - {gone} | {come}
    for tile in document["tiles"]:
        tile["start"] = tile["id"] in start
        tile["min34"] = tile["min34"] and not tile["start"]
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_boards_in_view_are_read_at_the_reveal_and_recorded_as_the_cameras(
    store: Store, settings: Settings, tmp_path: Path
) -> None:
    truth = json.loads((SAMPLE / "boards" / "000.json").read_text(encoding="utf-8"))
    tiles = {f"r{c['row'] + 1}c{c['col'] + 1}": c["tile"] for c in truth["cells"]}
    catalogue = dealt_like(set(tiles.values()), tmp_path / "catalogue.json")
    table = begun(store, settings, catalogue, [board["colour"] for board in truth["boards"]])
    try:
        while table.session.state.phase is not Phase.DEAL:
            say(table, table.rules.format(table.rules.chance_outcomes(table.session.state)[0].draw))
        say(table, *(f"deal {slot} {tile}" for slot, tile in sorted(tiles.items())), "start A")
        players = len(truth["boards"])
        say(table, *(f"{'ABCD'[n]} confirm" for n in range(players)))
        assert table.session.state.phase is Phase.REVEAL
        watch = TableWatch(table.spec, table.session, Policy(DEFAULT_DEMANDS))
        image = picture(SAMPLE / "boards" / "000.jpg")
        reader = learnt(SAMPLE).table(players)
        PictureLoop(PictureEyes(reader, stills=True, boards=watch.boards), watch).step(1, image, 0.0)
        read = events(store)[-players:]
        chosen = [
            " ".join(sorted(f"r{s['row'] + 1}c{s['col'] + 1}" for s in board["slots"])) for board in truth["boards"]
        ]
        assert [text for text, _, _ in read] == [f"{'ABCD'[n]} choose {slots}" for n, slots in enumerate(chosen)]
        assert {kind for _, kind, _ in read} == {CauseKind.CAMERA}
        assert all(detail["frame"] == 1 and 0.9 < detail["p"] <= 1 for _, _, detail in read)
        assert table.session.state.phase is Phase.MOVE
        assert table.session.moment.mood.alerts == ()  # the tiles are those that were dealt
    finally:
        table.close()


def test_a_film_whose_boards_nobody_reads_is_followed_from_the_moves(
    store: Store, settings: Settings, tmp_path: Path
) -> None:
    film = shortened(tmp_path / "film", reveals=False)
    jobs = json.loads((film / "game" / "jobs.json").read_text(encoding="utf-8"))
    truth = json.loads((DEMO / "game" / "truth.json").read_text(encoding="utf-8"))["events"]
    table = begun(store, settings, film / "catalogue.json", jobs["colours"])
    try:
        box = attach_box(table, store, settings, "virtual:")
        live = attach_camera(table, settings, f"replay:{film}", pace_s=0.0, press=None, box=box)
        assert live.ended.wait(120)
        assert live.snapshot.trouble == ""
        moves = [e for e in truth if e["event"] == "move" and e["frame"] < jobs["frames"]]
        wanted = [f"{'AB'[e['player']]} move r{e['cell'][0] + 1}c{e['cell'][1] + 1}" for e in moves]
        recorded = [text for text, _, _ in events(store) if " move " in text]
        waiting = [seen["text"] for seen in dict(table.session.moment.mood.alerts).get(BOARDS, {}).get("seen", ())]
        assert recorded + waiting == wanted
        choices = [detail for text, _, detail in events(store) if " choose " in text]
        assert choices
        assert all(detail[FROM_MOVES[0]] == FROM_MOVES[1] for detail in choices)
    finally:
        table.close()


def test_pages_are_told_at_once_who_is_in_the_middle_of_an_act() -> None:
    nudged: list[Seat | None] = []
    watch = SimpleNamespace(in_the_middle=None, time_passes=lambda _: None)
    watch.session = SimpleNamespace(nudge=lambda: nudged.append(watch.in_the_middle))
    settled = SimpleNamespace(state=ViewState.SETTLED, note=NO_MESSAGE)

    def pictures() -> Iterator[PictureStep]:  # of one settled view, of which nothing else changes
        for seat in (None, None, Seat.B, Seat.B, None):
            watch.in_the_middle = seat
            yield PictureStep(0, None, SourceStatus("film", Health.LIVE), (), (), 0.0)

    eyes = SimpleNamespace(view=settled, reading=False, aside=None, pause_s=0.0)
    loop = SimpleNamespace(
        eyes=eyes, open_eyes=lambda: eyes, clock=lambda: 0.0, run=pictures,
        source=SimpleNamespace(start=lambda: None, stop=lambda: None),
    )
    thread = CameraThread(loop, watch)  # type: ignore[arg-type]
    thread.start()
    assert thread.ended.wait(10.0)
    thread.stop()
    assert nudged == [None, Seat.B, None]  # the first of them of the view
