"""Reads a filmed game: pictures, confirmations and revealed choices in, the accepted events and the score out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.game import GameSpec, InferringRules, Rules, State
from companion.core.inputs import BoardObservation, Sight, ViewState
from companion.core.types import Face, Seat, SeatInfo, Setup, Slot
from companion.games import find_game
from companion.games.envyra import actions as envyra
from companion.table.follower import Follower, Happening, HappeningKind
from companion.table.looks import board_look
from companion.table.reconcile import Ambiguous
from companion.table.weighing import Earlier

PICTURE_MS = 500
"""Time between the pictures of a film that states none."""

DOUBTFUL_PICTURES = 4
"""A film shows most scenes once: so many pictures in a row that stay doubtful are a question, as at a table where the
pictures of one scene do."""

ILLEGAL_ACTS = {"E11": "tile-swap", "E33": "restricted", "E40": "early-take", "R-05": "wrong-player"}


@dataclass(frozen=True, slots=True)
class FilmJobs:
    """What people told the companion during the film: set-up, confirmations and choices, by picture."""

    players: int
    colours: tuple[str, ...]
    first: int
    pictures: tuple[Path, ...]
    presses: Mapping[int, tuple[Seat, ...]]
    reveals: Mapping[int, Mapping[Seat, tuple[Slot, ...]]]


def read_jobs(folder: Path) -> FilmJobs:
    """The jobs of a filmed game. Raises DataError when they cannot be read or name no picture."""
    path = folder / "jobs.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        presses: dict[int, list[Seat]] = {}
        for press in data.get("presses", ()):
            presses.setdefault(int(press["frame"]), []).append(Seat(int(press["player"])))
        reveals = {
            int(reveal["frame"]): {Seat(int(c["player"])): tuple(map(_slot, c["cells"])) for c in reveal["choices"]}
            for reveal in data.get("reveals", ())
        }
        pictures = tuple(folder / f"{n:04d}.jpg" for n in range(int(data["frames"])))
        jobs = FilmJobs(
            int(data["players"]), tuple(data["colours"])[: int(data["players"])], int(data["first"]), pictures,
            {frame: tuple(seats) for frame, seats in presses.items()}, reveals,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"expected the jobs of a filmed game, got {error!r}", where=str(path)) from error
    if not pictures:
        raise DataError("the film has no picture", where=str(path))
    return jobs


def _slot(cell: list[int]) -> Slot:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _cell(slot: Slot) -> list[int]:
    row, column = slot[1:].split("c")
    return [int(row) - 1, int(column) - 1]


@dataclass
class FilmReferee:
    """Referees one filmed game of Envyra: gives the accepted events as the scenes' README writes them.

    Where the jobs tell no choices at a reveal, they follow from the moves.
    """

    spec: GameSpec
    rules: Rules
    jobs: FilmJobs
    events: list[dict[str, Any]] = field(default_factory=list)
    follower: Follower | None = None
    _winners: dict[Slot, tuple[Seat, Face]] = field(default_factory=dict)
    _waiting: dict[Seat, tuple[Slot, ...]] = field(default_factory=dict)
    _over: bool = False
    _inferred: bool = False
    _doubtful: int = 0
    _before: list[State] = field(default_factory=list)
    """The states before the acts that were seen since boards were not read: hands may take them back."""
    inferring: InferringRules = field(init=False)

    def __post_init__(self) -> None:
        if self.spec.infer is None:
            raise ValueError(f"{self.spec.name} cannot infer choices from moves")
        self.inferring = self.spec.infer(self.rules)

    def told(self, frame: int) -> None:
        """The confirmations and choices told before picture `frame`; kept until the phase they belong to."""
        self._waiting.update(dict.fromkeys(self.jobs.presses.get(frame, ()), ()))
        self._waiting.update(self.jobs.reveals.get(frame, {}))
        self._use_what_was_told()

    def see(self, observation: BoardObservation) -> None:
        """One picture. The first settled one that shows the whole grid begins the game."""
        if self.follower is None:
            if observation.view is ViewState.SETTLED and all(s.sight is Sight.SEEN for s in observation.slots):
                self._begin(observation)
            return
        for happening in self.follower.observe(observation):
            self.events.extend(self._named(happening))
            self._remember(happening)
        if observation.view is ViewState.SETTLED:
            self._doubtful = 0 if self.follower.doubt is None else self._doubtful + 1
        question = self.follower.asked
        if question is None and self._doubtful >= DOUBTFUL_PICTURES:
            question = self.follower.doubt
        if isinstance(question, Ambiguous):
            self._take_likeliest(question, observation.frame)
            self._doubtful = 0
        self._use_what_was_told()

    def _remember(self, happening: Happening) -> None:
        """Keep what may be taken back on the table while choices are inferred; else the film's people undo nothing."""
        assert self.follower is not None
        if happening.kind is HappeningKind.TAKEN_BACK:
            assert happening.record is not None
            assert happening.wanted is not None
            self.follower.put_right(self._before[happening.record], happening.wanted)
            del self._before[happening.record :]
        elif happening.kind is HappeningKind.EVENT:
            self._before = [*self._before, happening.before] if self._unread(happening.state) else []
        self.follower.earlier = tuple(
            Earlier(n, state, board_look(self.inferring, state)) for n, state in enumerate(self._before)
        )[::-1]

    def _unread(self, state: State) -> bool:
        return self.inferring.account(state) is not None

    def finish(self, frame: int) -> None:
        """The film has ended: a game that is over is said to be over."""
        if self.follower is not None:
            self.events.extend(self._over_event(frame))

    def final(self) -> dict[str, Any]:
        """The final state and scores; empty when the game never began."""
        if self.follower is None:
            return {}
        state = self._settled() or self.follower.state
        view = self.inferring.view(state, None)
        return {
            "over": self.inferring.result(state) is not None,
            "scores": self._scores(state),
            "captured": [[tile["id"] for tile in seat["captured"]] for seat in view["seats"]],
            "choices": "inferred from the moves" if self._inferred else "told",
            "cells": {",".join(map(str, _cell(c["slot"]))): c["tile"] and c["tile"]["id"] for c in view["cells"]},
            "state": self.inferring.dump(state),
        }

    def _begin(self, observation: BoardObservation) -> None:
        state = self.inferring.initial()
        readings = {s.slot: dict(s.faces) for s in observation.slots}
        while outcomes := self.inferring.chance_outcomes(state):
            draw = outcomes[0].draw
            if isinstance(draw, envyra.DealTile):
                faces = readings[draw.slot]
                deals = [o.draw for o in outcomes if isinstance(o.draw, envyra.DealTile)]
                draw = max(deals, key=lambda d: faces.get(self.inferring.same_face(d.tile), -99.0))
            elif isinstance(draw, envyra.StartingFigure):
                draw = envyra.StartingFigure(Seat(self.jobs.first))
            state = self.inferring.apply(state, draw)
        assert self.spec.blame is not None
        look = board_look(self.inferring, state)
        self.follower = Follower(self.inferring, self.spec.blame, state, look, stills=True)
        self._use_what_was_told()

    def _use_what_was_told(self) -> None:
        if self.follower is None:
            return
        for seat, slots in sorted(self._waiting.items()):
            action = envyra.Choose(seat, slots) if slots else envyra.Confirm(seat)
            state = self.follower.state if slots else self._settled()
            if state is not None and self.inferring.check(state, action) is None:
                self.follower.accept(self.inferring.apply(state, action))
                del self._waiting[seat]

    def _settled(self) -> State | None:
        """The state of the game: where the boards of the round were not read, that after it if it may be over."""
        assert self.follower is not None
        account = self.inferring.account(self.follower.state)
        return self.follower.state if account is None else account.over

    def _take_likeliest(self, question: Ambiguous, frame: int) -> None:
        """Nobody can be asked in a film: the likeliest choice is taken and said to have been asked."""
        assert self.follower is not None
        view = self.follower.view
        for event in question.choices[0]:
            before = self.follower.state
            after = self.inferring.apply(before, event)
            view = self.inferring.board_path(before, event)[0]
            happening = Happening(
                HappeningKind.EVENT, frame, board_look(self.inferring, before).differs(view), event=event,
                before=before, state=after,
            )
            self.events.extend({**e, "asked": True} for e in self._named(happening))
            self._remember(happening)
            self.follower.accept(after)
        self.follower.put_right(self.follower.state, view)

    def _named(self, happening: Happening) -> Iterator[dict[str, Any]]:
        """A happening in the words of the scenes' README."""
        frame, kind = happening.frame, happening.kind
        if kind is HappeningKind.EVENT:
            yield from self._event(happening)
        elif kind is HappeningKind.LIFTED:
            slot = happening.slots[0]
            if slot in self._winners:
                seat, tile = self._winners.pop(slot)
                yield _entry(frame, "capture", player=int(seat), cell=_cell(slot), tile=tile)
        elif kind is HappeningKind.RETURNED:
            yield from self._returned(happening)
        elif kind is HappeningKind.ILLEGAL:
            yield self._illegal(happening)
        elif kind is HappeningKind.CORRECTED:
            yield _entry(frame, "corrected")
        elif kind is HappeningKind.BUMPED:
            yield _entry(frame, "bump")
        elif kind is HappeningKind.TAKEN_BACK:
            yield _entry(frame, "taken-back", cell=_cell(happening.slots[0]))
        if not self._winners:
            yield from self._over_event(frame)

    def _event(self, happening: Happening) -> Iterator[dict[str, Any]]:
        frame, event = happening.frame, happening.event
        self._inferred |= self._unread(happening.state)
        if isinstance(event, envyra.Move):
            won = self._captured(happening.before, happening.state)
            if won is not None:
                self._winners[event.slot] = won
            tile = self.inferring.board(happening.before).at(event.slot).face
            yield _entry(frame, "move", player=int(event.seat), cell=_cell(event.slot), tile=tile)
        elif isinstance(event, envyra.Remove):
            tile = self.inferring.board(happening.before).at(event.slot).face
            yield _entry(frame, "remove", player=int(event.seat), cell=_cell(event.slot), tile=tile)
        elif isinstance(event, (envyra.Refill, envyra.Replace)):
            yield _entry(frame, "refill", cell=_cell(event.slot), tile=event.tile)

    def _captured(self, before: State, after: State) -> tuple[Seat, Face] | None:
        """Who captured which tile between two states."""
        had, has = (self.inferring.view(state, None)["seats"] for state in (before, after))
        for seat, (old, new) in enumerate(zip(had, has, strict=True)):
            gained = {t["id"] for t in new["captured"]} - {t["id"] for t in old["captured"]}
            if gained:
                return Seat(seat), gained.pop()
        return None

    def _returned(self, happening: Happening) -> Iterator[dict[str, Any]]:
        assert happening.seen is not None
        assert happening.wanted is not None
        for seat, info in enumerate(self.inferring.setup.seats):
            left = sum(
                dict(happening.seen.at(s).pieces).get(info.colour, 0)
                - dict(happening.wanted.at(s).pieces).get(info.colour, 0)
                for s in happening.slots
            )
            if left > 0:
                yield _entry(happening.frame, "returned", player=seat)

    def _illegal(self, happening: Happening) -> dict[str, Any]:
        assert happening.violation is not None
        violation = happening.violation
        facts = dict(violation.facts)
        awaited = self.inferring.to_act(happening.before)
        seat = facts.get("seat", awaited[0] if awaited else None)
        act = ILLEGAL_ACTS.get(violation.clause)
        if act is None and violation.clause in ("E31", "E32"):
            act = "wrong-tile" if "marked" in facts else "wrong-player"
        cell = _cell((violation.slots or happening.slots)[0])
        entry = _entry(happening.frame, "illegal", cell=cell, clause=violation.clause, act=act or "other")
        return entry if seat is None else {**entry, "player": int(seat)}

    def _over_event(self, frame: int) -> Iterator[dict[str, Any]]:
        assert self.follower is not None
        result = self.inferring.result(self.follower.state)
        if result is not None and not self._over:
            self._over = True
            yield _entry(frame, "over", clause=result.clause, scores=self._scores(self.follower.state))

    def _scores(self, state: State) -> list[dict[str, int]]:
        lines = []
        for score in self.inferring.scores(state):
            sets = sum(line.points for line in score.lines if line.clause == "E66")
            lines.append({"tiles": score.total - sets, "sets": sets, "total": score.total})
        return lines


def _entry(frame: int, event: str, **more: Any) -> dict[str, Any]:
    return {"frame": frame, "event": event, **more, "asked": False}


def referee_film(
    directory: Path, progress: Callable[[int, int], None] | None = None
) -> tuple[FilmReferee, list[float]]:
    """Watch the film of the set at `directory`. Returns the referee and the seconds each picture took to be judged."""
    import time

    import numpy as np

    from vision.follow import Follower as PoseFollower
    from vision.reread import GridMemory
    from vision.scene_set import SceneSet, picture
    from vision.set_reader import SetReader
    from vision.settle import Settler

    jobs = read_jobs(directory / "game")
    spec = find_game("envyra")
    catalogue = spec.load_catalogue(directory / "catalogue.json")
    seats = tuple(SeatInfo(f"Player {n + 1}", colour) for n, colour in enumerate(jobs.colours))
    rules = spec.make_rules(Setup(spec.name, seats, catalogue.id), catalogue)
    reader = SetReader(SceneSet(directory)).table(jobs.players)
    referee = FilmReferee(spec, rules, jobs)
    place = PoseFollower(reader.markers, stills=True)
    settler = Settler(reader.outlines, stills=True)
    seconds: list[float] = []
    memory: GridMemory | None = None
    for frame, path in enumerate(jobs.pictures):
        referee.told(frame)
        image: np.ndarray = picture(path)
        start, time_ms, epoch = time.perf_counter(), frame * PICTURE_MS, place.now.epoch
        following = place.see(image, time_ms / 1000)
        if following.epoch > epoch > 0:
            memory = None
            referee.see(BoardObservation(frame, time_ms, ViewState.MOVED))
        view = settler.see(image, following, time_ms / 1000)
        if view.state in (ViewState.SETTLED, ViewState.HAND):
            reading = reader.read(image, pose=following.pose, memory=memory, over=view.over)
            memory = reading.memory
            referee.see(reading.observation(frame, time_ms, view.state))
        else:
            referee.see(BoardObservation(frame, time_ms, view.state, note=view.note))
        seconds.append(time.perf_counter() - start)
        if progress is not None:
            progress(frame + 1, len(jobs.pictures))
    referee.finish(len(jobs.pictures) - 1)
    return referee, seconds
