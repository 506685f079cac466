"""How well a filmed game was refereed: events against the truth, alarms by kind, delays, final state and score (pure).

Events are compared in their order: the truth's and the accepted ones are aligned so that as many as possible agree in
kind, player, cell and face; what is left over on either side is missed or wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Any

from companion.core.types import Face

TrueEvent = Mapping[str, Any]
ReadEvent = Mapping[str, Any]

FIELDS: Mapping[str, tuple[str, ...]] = {
    "move": ("player", "cell", "tile"),
    "capture": ("player", "cell", "tile"),
    "refill": ("cell", "tile"),
    "remove": ("player", "cell", "tile"),
    "returned": ("player",),
    "corrected": (),
    "bump": (),
    "over": (),
}
"""The kinds of events that are compared, and in what they must agree besides the kind and the order."""

CLAUSES: Mapping[str, frozenset[str]] = {
    "restricted": frozenset({"E33"}),
    "wrong-player": frozenset({"E31", "E32"}),
    "wrong-tile": frozenset({"E31"}),
    "early-take": frozenset({"E40"}),
    "tile-swap": frozenset({"E11"}),
}
"""The clauses that an illegal act of the films breaks, as the scenes' README lists them."""

P95 = 0.95


@dataclass(frozen=True, slots=True)
class Alarm:
    """An illegal act that was filmed: `flagged` how it was named (act, clause; None: not at all).

    `settled`: in which settled picture that shows it, counted from 1; 0 when it was not flagged.
    """

    frame: int
    act: str
    flagged: tuple[str, str] | None
    settled: int

    @property
    def right(self) -> bool:
        """Whether it was flagged as what it was."""
        return self.flagged is not None and self.flagged[0] == self.act and self.flagged[1] in CLAUSES[self.act]


@dataclass(frozen=True, slots=True)
class FilmReport:
    """The comparison of one filmed game.

    `kinds`: kind -> (in the truth, recognised without help, accepted without help). `missed` and `wrong` name the
    events that disagree. `delays`: pictures from the one that shows an event to its acceptance. `times_ms`: to judge
    each picture.
    """

    kinds: Mapping[str, tuple[int, int, int]]
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    asked: int
    alarms: tuple[Alarm, ...]
    false_alarms: tuple[str, ...]
    delays: tuple[int, ...]
    times_ms: tuple[float, ...]
    cells_right: bool
    presumed: int  # how often a legal way was recorded of which nobody saw the middle, and people said nothing
    scores_right: bool | None  # None: the film ends before the game does
    choices: str = "told"  # or that they were inferred from the moves, so that their check is weaker

    @property
    def recall(self) -> float:
        """Part of the true events that was recognised, in order and without help; 1 when there was none."""
        return _part(sum(r for _, r, _ in self.kinds.values()), sum(t for t, _, _ in self.kinds.values()))

    @property
    def precision(self) -> float:
        """Part of the events accepted without help that is true; 1 when none was accepted."""
        return _part(sum(r for _, r, _ in self.kinds.values()), sum(a for _, _, a in self.kinds.values()))


def _part(of: int, whole: int) -> float:
    return of / whole if whole else 1.0


def compare_film(
    truth: Mapping[str, Any],
    events: Sequence[ReadEvent],
    final: Mapping[str, Any],
    same: Mapping[Face, Face],
    seconds: Sequence[float],
) -> FilmReport:
    """Compare a film's events with its truth (both as the scenes' README writes them).

    `same`: face -> representative of those that look the same. `final`: as `FilmResult.final`. `seconds`: what each
    picture took.
    """
    true, read = _in_order(truth["events"]), _in_order(events)
    pairs = _aligned([_key(e, same) for e in true], [_key(e, same) for e in read])
    found = {t for t, r in pairs if not read[r].get("asked")}
    sound = {r for _, r in pairs}
    kinds = {
        kind: (
            sum(e["event"] == kind for e in true),
            sum(true[t]["event"] == kind for t in found),
            sum(e["event"] == kind and not e.get("asked") for e in read),
        )
        for kind in FIELDS
    }
    met = {t for t, _ in pairs}
    alarms, false_alarms = _alarms(truth, events)
    return FilmReport(
        {kind: counts for kind, counts in kinds.items() if any(counts)},
        tuple(_name(e) for t, e in enumerate(true) if t not in met),
        tuple(_name(e) for r, e in enumerate(read) if r not in sound),
        len({(e["frame"], e.get("question", 0)) for e in events if e.get("asked")}),
        alarms,
        false_alarms,
        tuple(read[r]["frame"] - true[t]["frame"] for t, r in pairs),
        tuple(s * 1000 for s in seconds),
        _faces(final.get("cells", {}), same) == _faces(truth["frames"][-1]["cells"], same),
        sum(e["event"] == "presumed" for e in events),
        _scores_right(truth["events"][-1], final, same),
        str(final.get("choices", "told")),
    )


def _in_order(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events that are compared. What one picture shows and has no order among each other comes in a fixed one:
    cubes that are back by player, cubes that one player laid by cell."""
    runs = groupby((e for e in events if e["event"] in FIELDS), _run)
    return [e for (kind, *_), run in runs for e in (sorted(run, key=_ORDERS[kind]) if kind in _ORDERS else run)]


_ORDERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "returned": lambda event: int(event["player"]),
    "move": lambda event: list(event["cell"]),
}


def _run(event: Mapping[str, Any]) -> tuple[Any, ...]:
    return event["event"], event["frame"], event["player"] if event["event"] == "move" else None


def _key(event: Mapping[str, Any], same: Mapping[Face, Face]) -> tuple[Any, ...]:
    values = [event.get(name) for name in FIELDS[event["event"]]]
    plain = (tuple(v) if isinstance(v, list) else same.get(v, v) if isinstance(v, str) else v for v in values)
    return (event["event"], *plain)


def _aligned(true: list[tuple[Any, ...]], read: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence."""
    best = [[0] * (len(read) + 1) for _ in range(len(true) + 1)]
    for t in range(len(true) - 1, -1, -1):
        for r in range(len(read) - 1, -1, -1):
            best[t][r] = (
                best[t + 1][r + 1] + 1 if true[t] == read[r] else max(best[t + 1][r], best[t][r + 1])
            )
    pairs, t, r = [], 0, 0
    while t < len(true) and r < len(read):
        if true[t] == read[r]:
            pairs.append((t, r))
            t, r = t + 1, r + 1
        elif best[t + 1][r] >= best[t][r + 1]:
            t += 1
        else:
            r += 1
    return pairs


def _alarms(truth: Mapping[str, Any], events: Sequence[ReadEvent]) -> tuple[tuple[Alarm, ...], tuple[str, ...]]:
    """Each illegal act with the first alarm between it and its correction; and the alarms without an act."""
    settled = [f["frame"] for f in truth["frames"] if f["kind"] == "settled"]
    acts = [e for e in truth["events"] if e["event"] == "illegal"]
    corrections = [e["frame"] for e in truth["events"] if e["event"] == "corrected"]
    said = [e for e in events if e["event"] == "illegal"]
    alarms = []
    for act in acts:
        until = min((f for f in corrections if f > act["frame"]), default=truth["frames"][-1]["frame"] + 1)
        hit = next((e for e in said if act["frame"] <= e["frame"] < until), None)
        if hit is not None:
            said.remove(hit)
        alarms.append(
            Alarm(
                act["frame"], act["act"],
                None if hit is None else (hit["act"], hit["clause"]),
                0 if hit is None else sum(act["frame"] <= f <= hit["frame"] for f in settled),
            )
        )
    return tuple(alarms), tuple(_name(e) for e in said)


def _name(event: Mapping[str, Any]) -> str:
    facts = (f"{k} {event[k]}" for k in ("player", "cell", "tile", "act", "clause") if event.get(k) is not None)
    return ", ".join((f"picture {event['frame']}: {event['event']}", *facts))


def _faces(cells: Mapping[str, Face | None], same: Mapping[Face, Face]) -> dict[str, Face | None]:
    return {cell: None if face is None else same.get(face, face) for cell, face in cells.items()}


def _scores_right(last: TrueEvent, final: Mapping[str, Any], same: Mapping[Face, Face]) -> bool | None:
    """Whether end, scores and captured faces are the truth's; None when its last event is not the end."""
    if last["event"] != "over":
        return None
    if not final:  # the game never began
        return False
    want = [{k: score[k] for k in ("tiles", "sets", "total")} for score in last["scores"]]
    had, has = (
        [Counter(same.get(f, f) for f in seat) for seat in seats] for seats in (last["captured"], final["captured"])
    )
    return bool(final["over"]) and final["scores"] == want and had == has


def as_json(report: FilmReport) -> dict[str, Any]:
    """The report as a JSON object."""
    return {
        "recall": round(report.recall, 4),
        "precision": round(report.precision, 4),
        "kinds": {k: dict(zip(("true", "recognised", "accepted"), v, strict=True)) for k, v in report.kinds.items()},
        "missed": list(report.missed),
        "wrong": list(report.wrong),
        "asked": report.asked,
        "presumed": report.presumed,
        "alarms": [
            {"picture": a.frame, "act": a.act, "flagged": a.flagged, "settled": a.settled}
            for a in report.alarms
        ],
        "false_alarms": list(report.false_alarms),
        "delay_pictures": {"median": median(report.delays or (0,)), "most": max(report.delays, default=0)},
        "judging_ms": {"median": round(median(report.times_ms or (0,))), "p95": round(_p95(report.times_ms))},
        "cells_right": report.cells_right,
        "scores_right": report.scores_right,
        "choices": report.choices,
    }


def _p95(values: Sequence[float]) -> float:
    ranked = sorted(values) or [0.0]
    return ranked[min(len(ranked) - 1, int(P95 * len(ranked)))]


def as_text(report: FilmReport) -> str:
    """The report for people."""
    lines = [f"{'filmed game':<12} {'true':>5} {'recognised':>11} {'accepted':>9}"]
    lines += [f"{kind:<12} {t:>5} {r:>11} {a:>9}" for kind, (t, r, a) in report.kinds.items()]
    lines.append(
        f"event recall {report.recall:.4f}, precision {report.precision:.4f}, "
        f"asked {report.asked}, presumed {report.presumed}; only what was accepted in order and without help counts"
    )
    lines += [f"  missed: {name}" for name in report.missed] + [f"  wrong: {name}" for name in report.wrong]
    for act in sorted({a.act for a in report.alarms}):
        these = [a for a in report.alarms if a.act == act]
        right, first = sum(a.right for a in these), sum(a.right and a.settled == 1 for a in these)
        lines.append(f"illegal {act}: {len(these)} filmed, {right} named rightly, {first} in the first settled picture")
    lines += [
        f"  picture {a.frame}: {a.act} was called {' by '.join(a.flagged or ('nothing',))}"
        for a in report.alarms if not a.right
    ]
    lines.append(f"false alarms {len(report.false_alarms)}")
    lines += [f"  {name}" for name in report.false_alarms]
    told = as_json(report)
    delay, judging = told["delay_pictures"], told["judging_ms"]
    lines.append(f"delay of an event: median {delay['median']:g} pictures, at most {delay['most']}")
    lines.append(f"judging a picture: median {judging['median']} ms, p95 {judging['p95']} ms")
    score = {None: "the film ends before the game", True: "right", False: "WRONG"}[report.scores_right]
    lines.append(f"final grid {'right' if report.cells_right else 'WRONG'}; end, captures and scores: {score}")
    if report.choices != "told":
        lines.append(f"the choices were {report.choices}: their check is weaker than with boards in view")
    return "\n".join(lines)
