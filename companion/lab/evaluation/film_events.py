"""What happened in a filmed game, in the words of the scenes' README (of a grid of tiles that cubes capture)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.game import Rules, State
from companion.core.types import Event, Face, Seat, Slot
from companion.games.envyra import actions as acts
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.retold import Retold

ILLEGAL_ACTS = {"E11": "tile-swap", "E33": "restricted", "E40": "early-take", "R-05": "wrong-player"}


@dataclass
class FilmScribe:
    """Writes down happening after happening; `events` as the README has them."""

    rules: Rules
    events: list[dict[str, Any]] = field(default_factory=list)
    _winners: dict[Slot, tuple[Seat, Face]] = field(default_factory=dict)
    """Whose is a captured tile that is still on the table."""
    _over: bool = False

    def write(self, happening: Happening, picture: int, *, question: int = 0) -> None:
        """One happening in picture number `picture` (from 0); `question`: which one of that picture, counted from 1, it
        answers; 0: none."""
        named, asked = _NAMED.get(happening.kind), question > 0
        asks = {"asked": asked, "question": question} if asked else {"asked": asked}
        for event in () if named is None else named(self, happening):
            self.events.append({"frame": picture, **event, **asks})
        if asked and isinstance(happening.event, acts.DealTile):  # the README names no deals, but a question is one
            self.events.append({"frame": picture, "event": "dealt", "cell": _cell(happening.event.slot), **asks})

    def corrected(self, story: Retold, picture: int, *, question: int, right: bool) -> None:
        """People were asked in picture number `picture` whether the face in a slot was misread as it was dealt; if the
        record was not `right`, what was written down of that face is."""
        asks = {"asked": True, "question": question}
        self.events.append({"frame": picture, "event": "doubted", "cell": _cell(story.slot), **asks})
        if not right:
            since = [n for n, e in enumerate(self.events) if e["event"] == "refill" and e["cell"] == _cell(story.slot)]
            for one in self.events[since[-1] if since else 0 :]:
                if one.get("cell") == _cell(story.slot) and "tile" in one:
                    one.update(tile=story.face, asked=one["asked"] or one["event"] == "refill")

    def denied(self, events: Iterable[Event], picture: int) -> None:
        """People said in picture number `picture`, which showed `events`, that they did not happen."""
        cells = [_cell(event.slot) for event in events if isinstance(event, acts.Move)]
        taken = ("move", "capture", "presumed")
        self.events = [
            e for e in self.events if e["frame"] != picture or e["event"] not in taken or e["cell"] not in cells
        ]
        self._winners = {slot: won for slot, won in self._winners.items() if _cell(slot) not in cells}

    def end(self, state: State, picture: int, *, last: bool = False) -> None:
        """`state` holds: a game that is over is written down once, when every captured tile was taken or the film ends
        (`last`)."""
        result = self.rules.result(state)
        if result is not None and not self._over and (last or not self._winners):
            self._over = True
            scores = seat_scores(self.rules, state)
            self.events.append(
                {"frame": picture, "event": "over", "clause": result.clause, "scores": scores, "asked": False}
            )

    def _event(self, happening: Happening) -> Iterator[dict[str, Any]]:
        event = happening.event
        if isinstance(event, acts.Move | acts.Remove):
            won = self._captured(happening.before, happening.state) if isinstance(event, acts.Move) else None
            if won is not None:
                self._winners[event.slot] = won
            tile = self.rules.board(happening.before).at(event.slot).face
            kind = "move" if isinstance(event, acts.Move) else "remove"
            yield {"event": kind, "player": int(event.seat), "cell": _cell(event.slot), "tile": tile}
        elif isinstance(event, acts.Refill | acts.Replace):
            yield {"event": "refill", "cell": _cell(event.slot), "tile": event.tile}

    def _captured(self, before: State, after: State) -> tuple[Seat, Face] | None:
        """Who captured which tile between two states."""
        had, has = (self.rules.view(state, None)["seats"] for state in (before, after))
        for seat, (old, new) in enumerate(zip(had, has, strict=True)):
            gained = {t["id"] for t in new["captured"]} - {t["id"] for t in old["captured"]}
            if gained:
                return Seat(seat), gained.pop()
        return None

    def _lifted(self, happening: Happening) -> Iterator[dict[str, Any]]:
        slot = happening.slots[0]
        if slot in self._winners:
            seat, tile = self._winners.pop(slot)
            yield {"event": "capture", "player": int(seat), "cell": _cell(slot), "tile": tile}

    def _returned(self, happening: Happening) -> Iterator[dict[str, Any]]:
        assert happening.seen is not None
        assert happening.wanted is not None
        for seat, info in enumerate(self.rules.setup.seats):
            left = sum(
                dict(happening.seen.at(s).pieces).get(info.colour, 0)
                - dict(happening.wanted.at(s).pieces).get(info.colour, 0)
                for s in happening.slots
            )
            if left > 0:
                yield {"event": "returned", "player": seat}

    def _illegal(self, happening: Happening) -> Iterator[dict[str, Any]]:
        violation = happening.violation
        assert violation is not None
        facts = dict(violation.facts)
        awaited = self.rules.to_act(happening.before)
        seat = facts.get("seat", awaited[0] if awaited else None)
        act = ILLEGAL_ACTS.get(violation.clause)
        if act is None and violation.clause in ("E31", "E32"):
            act = "wrong-tile" if "marked" in facts else "wrong-player"
        cell = _cell((violation.slots or happening.slots)[0])
        player = {} if seat is None else {"player": int(seat)}
        named = {"cell": cell, "clause": violation.clause, "act": act or "other"}
        yield {"event": "illegal", **named, **player}

    def _corrected(self, _: Happening) -> Iterator[dict[str, Any]]:
        yield {"event": "corrected"}

    def _bumped(self, _: Happening) -> Iterator[dict[str, Any]]:
        yield {"event": "bump"}

    def _presumed(self, happening: Happening) -> Iterator[dict[str, Any]]:
        yield {"event": "presumed", "cell": _cell(happening.slots[0])}

    def _taken_back(self, happening: Happening) -> Iterator[dict[str, Any]]:
        yield {"event": "taken-back", "cell": _cell(happening.slots[0])}


_NAMED = {
    HappeningKind.EVENT: FilmScribe._event,
    HappeningKind.LIFTED: FilmScribe._lifted,
    HappeningKind.RETURNED: FilmScribe._returned,
    HappeningKind.ILLEGAL: FilmScribe._illegal,
    HappeningKind.CORRECTED: FilmScribe._corrected,
    HappeningKind.BUMPED: FilmScribe._bumped,
    HappeningKind.TAKEN_BACK: FilmScribe._taken_back,
    HappeningKind.PRESUMED: FilmScribe._presumed,
}
"""The happenings that the README names; the others are no events of a film."""


def acts_named(rules: Rules, events: Iterable[Event], same: Mapping[Face, Face]) -> list[tuple[Any, ...]]:
    """What a question offers, as `acts_due` names it; faces that look the same count as one."""
    named: list[tuple[Any, ...]] = []
    for event in events:
        if isinstance(event, acts.Move | acts.Remove):
            kind = "move" if isinstance(event, acts.Move) else "remove"
            named.append((kind, int(event.seat), tuple(_cell(event.slot))))
        elif isinstance(event, acts.Refill | acts.Replace):
            named.append(("refill", same[event.tile], tuple(_cell(event.slot))))
        else:
            named.append((rules.format(event),))
    return named


def acts_due(
    truth: Iterable[Mapping[str, Any]], read: Iterable[Mapping[str, Any]], picture: int, same: Mapping[Face, Face]
) -> list[tuple[Any, ...]]:
    """The acts that people have done by `picture`, of which the events that were `read` say nothing, in their order."""
    known = Counter(key for one in read if (key := _act(one, same)) is not None)
    due: list[tuple[Any, ...]] = []
    for one in truth:
        key = _act(one, same) if one["frame"] <= picture else None
        if key is not None and known[key]:
            known[key] -= 1
        elif key is not None:
            due.append(key)
    return due


def dealt_choice(rules: Rules, story: Retold, breach: bool, truth: Mapping[str, Any], picture: int) -> int | None:
    """What people choose where the record of the face in a slot is doubted: the story told again, the record, or, of a
    `breach`, neither; None if all are wrong."""
    key = _cell_key(story.slot)
    dealt = truth["frames"][0]["cells"].get(key)
    for one in truth["events"]:
        if one["event"] == "refill" and one["frame"] <= picture and one["cell"] == _cell(story.slot):
            dealt = one["tile"]
    lies = truth["frames"][picture]["cells"].get(key)
    if dealt is None or rules.same_face(dealt) not in (story.face, story.recorded):
        return None
    if rules.same_face(dealt) == story.face:
        return 0
    return 2 if breach and lies is not None and rules.same_face(lies) == story.face else 1


def dealt_among(
    choices: Sequence[Sequence[Event]], truth: Mapping[str, Any], picture: int, same: Mapping[Face, Face]
) -> int | None:
    """Which of `choices` deals the tile that lies in its place in `picture` by the film's `truth`, which names no
    deals, or lay there in the first one if it is gone; None without one."""
    now, first = (truth["frames"][number]["cells"] for number in (picture, 0))
    for n, events in enumerate(choices):
        match events:
            case [*_, acts.DealTile(slot, tile)]:
                lies = now.get(_cell_key(slot)) or first.get(_cell_key(slot))
                if lies is not None and same[lies] == same[tile]:
                    return n
    return None


def breach_at(truth: Sequence[Mapping[str, Any]], picture: int, events: Iterable[Event]) -> bool:
    """Whether something illegal lies in `picture`, by the film's truth, in a place of `events`."""
    if not breach_open(truth, picture):
        return False
    last = [e for e in truth if e["event"] == "illegal" and e["frame"] <= picture][-1]
    return last["cell"] in [_cell(event.slot) for event in events if isinstance(event, acts.Move)]


def breach_open(truth: Iterable[Mapping[str, Any]], picture: int) -> bool:
    """Whether something illegal lies on the table in `picture`, by the film's truth."""
    last = [e["event"] for e in truth if e["event"] in ("illegal", "corrected") and e["frame"] <= picture]
    return last[-1:] == ["illegal"]


def _act(event: Mapping[str, Any], same: Mapping[Face, Face]) -> tuple[Any, ...] | None:
    if event["event"] in ("move", "remove"):
        return event["event"], event["player"], tuple(event["cell"])
    return ("refill", same[event["tile"]], tuple(event["cell"])) if event["event"] == "refill" else None


def final_position(rules: Rules, state: State, *, inferred: bool) -> dict[str, Any]:
    """Board, captures and scores in `state`; `inferred`: whether choices followed from the moves."""
    view = rules.view(state, None)
    return {
        "over": rules.result(state) is not None,
        "scores": seat_scores(rules, state),
        "captured": [[tile["id"] for tile in seat["captured"]] for seat in view["seats"]],
        "choices": "inferred from the moves" if inferred else "told",
        "cells": {",".join(map(str, _cell(c["slot"]))): c["tile"] and c["tile"]["id"] for c in view["cells"]},
        "state": rules.dump(state),
    }


def seat_scores(rules: Rules, state: State) -> list[dict[str, int]]:
    """Points of tiles, of sets and their total, seat by seat."""
    lines = []
    for score in rules.scores(state):
        sets = sum(line.points for line in score.lines if line.clause == "E66")
        lines.append({"tiles": score.total - sets, "sets": sets, "total": score.total})
    return lines


def _cell(slot: Slot) -> list[int]:
    row, column = slot[1:].split("c")
    return [int(row) - 1, int(column) - 1]


def _cell_key(slot: Slot) -> str:
    """The name of a slot among the cells of a film's truth."""
    return ",".join(map(str, _cell(slot)))
