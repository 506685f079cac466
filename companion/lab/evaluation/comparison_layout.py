"""Compares readings of tables by layout with the truth: faces, turns, pieces in gaps, whole tables and markets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.lab.evaluation.comparison import MeasureCounts, Mistake, Reading, Truth, conditions


def compare_table(tally: MeasureCounts, name: str, truth: Truth, reading: Reading, same: Mapping[str, str]) -> None:
    """Count one picture of a table. `same`: face -> the representative of its look.

    A table is right when every slot that the truth names is. Under a hand what is not covered counts, and the table
    as a whole does not.
    """
    told = truth.get("conditions", {})
    groups = (*conditions(truth), ("view", str(told.get("view", "?"))))
    located = bool(reading["camera"]["located"])
    if located:
        groups = (*groups, ("pieces", "like the table" if reading.get("hidden_colours") else "told from the table"))
    tally.add(groups, "tables", "tables located" if located else "tables not located")
    if not located:
        return
    read = {s["slot"]: s for s in reading["slots"]}
    settled = not truth.get("hand")
    wrong = flagged_wrong = asked = 0
    for wanted in truth["slots"]:
        seen = read[wanted["slot"]]
        if seen["state"] in ("covered", "outside"):
            tally.add(groups, f"slots {seen['state']}", *([f"slots {seen['state']}, settled"] if settled else []))
            wrong += settled
            flagged_wrong += settled
            continue
        if wanted.get("pieces") is not None and wanted["holds"] == "gap":
            ok = _gap(tally, groups, name, wanted, seen, settled)
        elif wanted.get("face") is None:
            ok = _empty(tally, groups, name, wanted, seen, settled)
        else:
            ok = _face(tally, groups, name, wanted, seen, same, settled)
        asked += not seen["sure"]
        wrong += not ok
        flagged_wrong += not ok and not seen["sure"]
    if settled:
        measures = ["settled tables", "tables right" if not wrong else "tables wrong"]
        if wrong:
            measures.append("tables wrong, all flagged" if flagged_wrong == wrong else "tables wrong unflagged")
        elif asked:
            measures.append("tables right, asked")
        tally.add(groups, *measures)


def _gap(
    tally: MeasureCounts, groups: tuple[tuple[str, str], ...], name: str, wanted: Truth, seen: Reading, settled: bool
) -> bool:
    want: Counter[str] = Counter(wanted["pieces"])
    got: Counter[str] = Counter(seen.get("pieces", {}))
    ok = seen["state"] == "empty" and want == got
    if not settled and not ok and seen["sure"] is False:
        return False  # a hand in view: what it shades or half hides is asked about
    measures = ["gaps", "gaps right" if ok else "gaps wrong"]
    if want:
        measures += ["occupied gaps", *(["occupied gaps right"] if ok else [])]
    if not seen["sure"]:
        measures.append("gaps right, flagged" if ok else "gaps wrong, flagged")
    tally.add(groups, *measures)
    if not ok:
        _note(tally, name, wanted, "workers", _counts(want), _counts(got), seen)
    return ok


def _empty(
    tally: MeasureCounts, groups: tuple[tuple[str, str], ...], name: str, wanted: Truth, seen: Reading, settled: bool
) -> bool:
    ok = bool(seen["state"] == "empty")
    if settled:
        state = "right" if ok else "unknown" if seen["state"] == "unknown" else "wrong"
        tally.add(groups, "empty places", f"empty places {state}")
        if not ok:
            _note(tally, name, wanted, "empty", "empty", str(seen.get("face") or seen["state"]), seen)
    return ok


def _face(
    tally: MeasureCounts,
    groups: tuple[tuple[str, str], ...],
    name: str,
    wanted: Truth,
    seen: Reading,
    same: Mapping[str, str],
    settled: bool,
) -> bool:
    named = seen["state"] == "face"
    want, read = wanted["face"], str(seen.get("face"))  # pieces of several spaces are their own representatives
    face_ok = named and same.get(read, read) == same.get(want, want)
    if not settled and not named:
        return False
    verdict = "right" if face_ok else "wrong" if named or seen["state"] == "empty" else "unknown"
    measures = ["faces", f"faces {verdict}"]
    turn_ok = face_ok and seen["turn"] == wanted["turn"]
    if face_ok:
        kind = "inclined" if wanted["holds"] == "card" and wanted["turn"] % 2 else "other"
        turned = "right" if turn_ok else "wrong"
        measures += ["turns", f"turns {turned}", f"{kind} faces", f"{kind} faces {turned}"]
    tally.add(groups, *measures)
    got = str(seen.get("face") or seen["state"])
    tally.confusion[same.get(want, want), same.get(got, got)] += 1
    if not face_ok:
        _note(tally, name, wanted, "face", want, got, seen)
    elif not turn_ok:
        _note(tally, name, wanted, "turn", str(wanted["turn"]), str(seen["turn"]), seen)
    return turn_ok


def _note(tally: MeasureCounts, name: str, wanted: Truth, kind: str, want: str, got: str, seen: Reading) -> None:
    corners = tuple((float(x), float(y)) for x, y in wanted.get("corners_px", ()))
    tally.mistakes.append(Mistake(name, wanted["slot"], kind, want, got, not seen["sure"], corners))


def _counts(pieces: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {colour}" for colour, n in sorted(pieces.items())) or "none"
