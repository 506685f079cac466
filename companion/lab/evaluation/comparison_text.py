"""The tables of an evaluation as text: measures with their targets, by condition, and the commonest confusions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.lab.evaluation.comparison import MeasureCounts


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table: what is counted of what, and what is to be reached (None: only shown)."""

    title: str
    part: str
    whole: str
    at_least: float | None = None
    at_most: float | None = None
    groups: tuple[tuple[str, str], ...] = (("all", "all"),)

    def reached(self, rate: float) -> bool | None:
        """Whether `rate` reaches the target; None without one."""
        if self.at_least is not None:
            return rate >= self.at_least
        if self.at_most is not None:
            return rate <= self.at_most
        return None


BIG, MIDDLE, SMALL = ("tile", ">= 80 px"), ("tile", "50-80 px"), ("tile", "< 50 px")

MEASURES = (
    Measure("tile faces >= 80 px: wrong", "tiles wrong", "tiles", at_most=0.001, groups=(BIG,)),
    Measure("tile faces >= 80 px: unknown", "tiles unknown", "tiles", at_most=0.01, groups=(BIG,)),
    Measure("tile faces 50-80 px: wrong", "tiles wrong", "tiles", at_most=0.003, groups=(MIDDLE,)),
    Measure("tile faces 50-80 px: unknown", "tiles unknown", "tiles", at_most=0.08, groups=(MIDDLE,)),
    Measure("tile faces < 50 px: wrong", "tiles wrong", "tiles", groups=(SMALL,)),
    Measure("cubes exact, all tiles", "cubes right", "cube tiles", at_least=0.99),
    Measure("cubes exact, occupied tiles", "occupied right", "occupied", at_least=0.97),
    Measure("wrong cubes that are flagged", "cubes wrong, flagged", "cubes wrong"),
    Measure("right cubes that are flagged", "cubes right, flagged", "cubes right"),
    Measure("empty cells right", "empty right", "empty cells"),
    Measure("empty cells wrong", "empty wrong", "empty cells"),
    Measure("settled grid right, markers", "settled right", "settled", at_least=0.95, groups=(("markers", "yes"),)),
    Measure("settled grid wrong unflagged", "settled dishonest", "settled", at_most=0.01),
    Measure("located, markers", "pose ok", "pose ok+pose none", groups=(("markers", "yes"),)),
    Measure("located without markers", "pose ok", "pose ok+pose none", at_least=0.9, groups=(("markers", "no"),)),
    Measure("corner card", "corners right", "corners", at_least=0.99),
    Measure("player boards, all cut-outs", "boards right", "boards", at_least=0.98),
    Measure("wrong boards that are flagged", "boards wrong, flagged", "boards wrong"),
    Measure("final tally exact", "tallies exact", "tallies", at_least=0.98),
    Measure("final tally wrong and sure", "tallies wrong and sure", "tallies", at_most=0.0),
    Measure("final tally asked", "tallies asked", "tallies"),
    Measure("tiles of tallies right", "tally tiles right", "tally tiles"),
    Measure("whole table right", "tables right", "settled tables", at_least=0.98),
    Measure("whole table wrong unflagged", "tables wrong unflagged", "settled tables", at_most=0.0),
    Measure("whole table right, but asked", "tables right, asked", "settled tables"),
    Measure("table located", "tables located", "tables"),
    Measure("faces in slots right", "faces right", "faces"),
    Measure("faces in slots wrong", "faces wrong", "faces"),
    Measure("faces in slots unknown", "faces unknown", "faces"),
    Measure("turns of faces", "turns right", "turns"),
    Measure("inclined faces as inclined", "inclined faces right", "inclined faces"),
    Measure("empty places", "empty places right", "empty places"),
    Measure("gaps, all colours exact", "gaps right", "gaps"),
    Measure("occupied gaps exact", "occupied gaps right", "occupied gaps"),
    Measure("wrong gaps that are flagged", "gaps wrong, flagged", "gaps wrong"),
    Measure("right gaps that are flagged", "gaps right, flagged", "gaps right"),
)
"""The figures that are to be reached, and others worth seeing beside them."""

BY_CONDITION = (
    ("tiles right", "tiles"),
    ("cubes right", "cube tiles"),
    ("occupied right", "occupied"),
    ("settled right", "settled"),
    ("corners right", "corners"),
    ("boards right", "boards"),
    ("tallies exact", "tallies"),
    ("tables right", "settled tables"),
    ("faces right", "faces"),
    ("occupied gaps right", "occupied gaps"),
)


def _rate(tally: MeasureCounts, measure: Measure) -> tuple[int, int]:
    counts = tally.counts[measure.groups[0]]
    return counts[measure.part], sum(counts[w] for w in measure.whole.split("+"))


def rows(tally: MeasureCounts) -> Iterator[tuple[Measure, int, int]]:
    """(measure, counted, of) for every measure that occurs."""
    for measure in MEASURES:
        part, whole = _rate(tally, measure)
        if whole:
            yield measure, part, whole


def as_text(tally: MeasureCounts) -> str:
    """The tables for people."""
    lines = [f"{'measure':36} {'reached':>9}  {'of':>5}  target"]
    for measure, part, whole in rows(tally):
        target = ""
        if measure.at_least is not None:
            target = f">= {measure.at_least:.1%}"
        elif measure.at_most is not None:
            target = f"<= {measure.at_most:.1%}"
        mark = {True: "", False: "  MISSED", None: ""}[measure.reached(part / whole)]
        lines.append(f"{measure.title:36} {part / whole:9.2%}  {whole:5d}  {target}{mark}")
    lines += ["", *by_condition(tally)]
    wrong = [(pair, n) for pair, n in tally.confusion.most_common() if pair[0] != pair[1]]
    if wrong:
        lines += ["", "taken for (most frequent first):"]
        lines += [f"  {was:14} -> {read:14} {n}" for (was, read), n in wrong[:20]]
    if tally.mistakes:
        lines += ["", "mistakes:"]
        lines += [
            f"  {m.picture} {m.place}: {m.kind} {m.wanted} read as {m.got}{' (flagged)' if m.flagged else ''}"
            for m in tally.mistakes[:60]
        ]
    return "\n".join(lines)


def by_condition(tally: MeasureCounts) -> list[str]:
    """One line a light, table, picture size and tile size."""
    present = [(part, whole) for part, whole in BY_CONDITION if tally.counts["all", "all"][whole]]
    lines = ["  ".join([f"{'condition':22}", *(f"{part.replace(' right', ''):>16}" for part, _ in present)])]
    for group in sorted(g for g, c in tally.counts.items() if g[0] != "all" and any(c[w] for _, w in present)):
        cells = []
        for part, whole in present:
            rate = tally.rate(part, whole, group)
            cells.append(f"{'-':>16}" if rate is None else f"{rate:9.1%} {'/' + str(tally.counts[group][whole]):>6}")
        lines.append("  ".join([f"{group[0] + ' ' + group[1]:22}", *cells]))
    return lines


def as_json(tally: MeasureCounts) -> dict[str, object]:
    """The same as one JSON object."""
    return {
        "measures": [
            {
                "title": m.title,
                "rate": part / whole,
                "counted": part,
                "of": whole,
                "at_least": m.at_least,
                "at_most": m.at_most,
                "reached": m.reached(part / whole),
            }
            for m, part, whole in rows(tally)
        ],
        "by_condition": {f"{k} {v}": dict(c) for (k, v), c in sorted(tally.counts.items())},
        "confusion": [[was, read, n] for (was, read), n in tally.confusion.most_common() if was != read],
        "mistakes": [
            {
                "picture": m.picture,
                "place": m.place,
                "kind": m.kind,
                "wanted": m.wanted,
                "got": m.got,
                "flagged": m.flagged,
            }
            for m in tally.mistakes
        ],
    }
