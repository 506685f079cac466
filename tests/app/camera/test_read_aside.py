"""Pictures of a running camera are read aside: early, in order, and the newest one's view is never waited for."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from shaken import noisy, painted_arm
from small_set import Scene, scene

from companion.app.camera.picture_eyes import (
    EARLY_S,
    READS_PER_SCENE,
    REREAD_S,
    REREAD_SHARE,
    STILL_S,
    PictureEyes,
)
from companion.core.inputs import BoardObservation, ViewState
from vision.locate.markers import MarkerLayout
from vision.sources import Health, SourceStatus
from vision.tables.again.incremental import TableMemory
from vision.tables.table_reader import TableReading
from vision.view.as_before import KeptView
from vision.view.view_state import QUIET_S

FRAME_S = 0.05


class Aside(Executor):
    """Reads when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: fn(*args, **kwargs)))
        return future

    def work(self) -> None:
        while self.waiting:
            future, read = self.waiting.pop(0)
            future.set_result(read())


@dataclass
class Reader:
    """A reader that only says that it was asked."""

    outlines: list[Any]
    markers: MarkerLayout = field(default_factory=MarkerLayout)
    camera: None = None
    read_pictures: list[np.ndarray] = field(default_factory=list)
    known: list[Any] = field(default_factory=list)
    """What was remembered when each of them was read."""
    memory: Any = None
    """What is remembered of each."""
    hand: bool = False

    def laid(self, *_known: Any) -> tuple[()]:
        return ()

    def looked_over(self, _laid: Any) -> list[Any]:
        return self.outlines

    def near_tiles(self, _laid: Any) -> None:
        return None

    def is_far_tile(self, *_given: Any) -> bool:
        return False

    def read(self, picture: np.ndarray, **how: Any) -> TableReading:
        self.read_pictures.append(picture)
        self.known.append(how["memory"])
        return TableReading(how["pose"], hand=self.hand, memory=self.memory)


@dataclass
class Table:
    """Eyes at a table, frame after frame; `given`: what the watch was given, by frame."""

    it: Scene
    aside: Aside = field(default_factory=Aside)
    given: list[tuple[int, BoardObservation]] = field(default_factory=list)
    number: int = 0

    def __post_init__(self) -> None:
        self.eyes = PictureEyes(Reader(self.it.outlines), aside=self.aside)  # type: ignore[arg-type]
        self.rng = np.random.default_rng(5)

    def show(self, picture: np.ndarray, frames: int, *, reads: bool = True) -> None:
        for _ in range(frames):
            self.number += 1
            seen = noisy(picture, self.rng)
            observed = self.eyes.observe(self.number, seen, self.number * FRAME_S)
            self.given += [(self.number, one) for one in observed]
            if reads:
                self.aside.work()

    def settled(self) -> list[tuple[int, int]]:
        """(frame in which it was given, frame that was read) of each reading."""
        return [(n, one.frame) for n, one in self.given if one.view is ViewState.SETTLED]


@pytest.fixture
def table() -> Table:
    return Table(scene("grid", "001"))


def test_what_was_read_early_is_told_the_moment_the_view_is_settled(table: Table) -> None:
    table.show(table.it.image, 20)
    settled = table.settled()
    quiet = round(QUIET_S / FRAME_S)
    assert settled[0][0] <= 2 + quiet
    told_at_once = [read for given, read in settled if given == settled[0][0]]
    assert told_at_once[0] <= 2 + round(EARLY_S / FRAME_S)
    assert len(told_at_once) > 1
    assert told_at_once == sorted(told_at_once)
    assert len(settled) == READS_PER_SCENE


def test_what_was_read_before_something_moved_is_void(table: Table) -> None:
    table.show(table.it.image, 6)
    arm = painted_arm(table.it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    table.show(arm, 4)
    assert len(table.eyes.reader.read_pictures) > 0  # type: ignore[attr-defined]
    table.show(table.it.image, 20)
    assert min(read for _, read in table.settled()) > 10


@pytest.mark.parametrize("hand", [False, True])
def test_a_first_whole_table_that_was_read_before_something_moved_is_not_read_twice(table: Table, hand: bool) -> None:
    reader: Any = table.eyes.reader
    reader.memory, reader.hand = TableMemory(()), hand
    table.show(table.it.image, 6)
    early = len(reader.known)
    assert early
    assert reader.known[0] is None
    arm = painted_arm(table.it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    table.show(arm, 4)
    reader.hand = False
    assert table.settled() == []
    table.show(table.it.image, 20)
    assert reader.known[early] is (None if hand else reader.memory)  # under a hand nothing is known


def test_a_hand_is_seen_while_a_picture_is_still_being_read_and_the_watch_learns_it_after_the_reading(
    table: Table,
) -> None:
    table.show(table.it.image, 30)
    table.eyes._reads = 0  # as if the scene were to be read again
    table.show(table.it.image, 1, reads=False)
    table.given.clear()
    arm = painted_arm(table.it, (0.0, 0.0), (0.0, 260.0), (150, 180, 225))
    table.show(arm, 6, reads=False)
    assert table.eyes.view.state is ViewState.HAND
    assert table.given == []
    table.aside.work()
    table.show(arm, 1, reads=False)
    assert [one.view for _, one in table.given] == [ViewState.SETTLED, ViewState.HAND]
    assert table.given[0][1].frame < table.given[1][1].frame


def test_pages_are_told_that_a_new_scene_is_being_read(table: Table) -> None:
    table.show(table.it.image, 5, reads=False)
    assert table.eyes.reading
    table.aside.work()
    table.show(table.it.image, 30)
    assert not table.eyes.reading
    assert table.eyes.pause_s > 0


def test_a_table_that_is_dear_to_read_is_read_again_less_often(table: Table) -> None:
    table.show(table.it.image, 30)
    read = table.eyes.reader.read_pictures
    before = len(read)
    table.show(table.it.image, round(2.5 * REREAD_S / FRAME_S))
    assert len(read) >= before + 2
    table.eyes._cost_s = 3 * REREAD_S * REREAD_SHARE
    before = len(read)
    table.show(table.it.image, round(1.9 * REREAD_S / FRAME_S))
    assert len(read) == before


def test_while_what_is_read_comes_into_the_record_the_scene_is_read_on_at_once(table: Table) -> None:
    table.show(table.it.image, 30)
    read = table.eyes.reader.read_pictures
    before = len(read)
    table.eyes.happened()
    table.show(table.it.image, 8)
    assert len(read) >= before + READS_PER_SCENE - 1
    assert not table.eyes.reading


def test_what_was_read_of_a_table_at_rest_is_told_though_no_new_picture_comes(table: Table) -> None:
    assert table.eyes.alike_s == 0
    table.show(table.it.image, 30)
    assert table.eyes.alike_s > 0
    while not table.aside.waiting:  # until it is read again
        table.show(table.it.image, 1, reads=False)
    table.aside.work()
    live = SourceStatus("0", Health.LIVE)
    told = list(table.eyes.without_picture(table.number, live, (table.number + 1) * FRAME_S))
    assert [(one.frame, one.view) for one in told] == [(table.number, ViewState.SETTLED)]


def test_what_reaches_over_a_map_is_compared_with_how_it_looked_a_second_before(table: Table) -> None:
    reader: Any = table.eyes.reader
    look = KeptView(np.zeros((8, 8, 3), np.uint8))
    reader.memory, reader.hand = TableMemory((), reached=(look,)), True
    table.show(table.it.image, round(STILL_S / FRAME_S))
    assert len(reader.known) == 1  # the early one, which does not count
    table.show(table.it.image, 4)
    assert len(reader.known) == 2
    assert reader.known[1] is reader.memory
