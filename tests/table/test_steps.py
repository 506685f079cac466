"""Facts about the steps for the hands: doing them turns one table into the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.layout import BoardView, SlotOutline, SlotView, TableLayout
from companion.table.steps import HandStep, hand_steps


def board(**slots: SlotView) -> BoardView:
    return BoardView(tuple(slots.items()))


def said(step: HandStep) -> str:
    return step.message.format_map(dict(step.facts))


CASES = [
    ("nothing", board(a=SlotView("x")), board(a=SlotView("x")), []),
    (
        "a piece is moved",
        board(a=SlotView("x", pieces=(("pink", 1),)), b=SlotView("y")),
        board(a=SlotView("x"), b=SlotView("y", pieces=(("pink", 1),))),
        ["from a to b: move 1 pink"],
    ),
    (
        "a captured tile and its cubes come back",
        board(a=SlotView()),
        board(a=SlotView("x", pieces=(("gray", 1), ("pink", 2)))),
        ["on a: put x", "on a: put 1 gray", "on a: put 2 pink"],
    ),
    (
        "a refill is taken away before the old tile lies there again",
        board(a=SlotView("new")),
        board(a=SlotView("old", pieces=(("pink", 1),))),
        ["from a: take new away", "on a: put old", "on a: put 1 pink"],
    ),
    (
        "a tile lies in the wrong place",
        board(a=SlotView("x")),
        board(b=SlotView("x")),
        ["from a to b: move x"],
    ),
    (
        "two tiles change places",
        board(a=SlotView("x"), b=SlotView("y")),
        board(a=SlotView("y"), b=SlotView("x")),
        ["from a: take x away", "from b: take y away", "on a: put y", "on b: put x"],
    ),
    ("a tile is turned", board(a=SlotView("x", turn=1)), board(a=SlotView("x", turn=3)), [
        "on a: turn x to 3 quarter turns clockwise"
    ]),
    ("a turn that does not matter", board(a=SlotView("x", turn=1)), board(a=SlotView("x")), []),
]  # fmt: skip


@pytest.mark.parametrize(("now", "wanted", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_steps_in_words(now: BoardView, wanted: BoardView, expected: list[str]) -> None:
    assert [said(step) for step in hand_steps(now, wanted)] == expected


def test_a_figure_is_called_by_the_player_it_stands_for() -> None:
    layout = TableLayout((SlotOutline("a", (), "location"), SlotOutline("b", (), "location")),
                         tokens=("enemy",), figures=("gray", "pink"))
    now = board(a=SlotView(pieces=(("enemy", 1), ("pink", 1))), b=SlotView(pieces=(("gray", 1),)))
    steps = hand_steps(now, board(b=SlotView(pieces=(("pink", 1),))), layout)
    assert sorted(map(said, steps)) == [
        "from a to b: move the figure of 1", "from a: take 1 enemy away", "from b: take the figure of 0 away",
    ]
    assert steps[0].to_json()["facts"] == {"seat": "B", "source": "a", "slot": "b"}


views = st.builds(
    lambda face, pieces: SlotView(face, pieces=tuple(sorted(pieces.items()))),
    st.sampled_from([None, "x", "y", "z"]),
    st.dictionaries(st.sampled_from(["gray", "pink"]), st.integers(1, 3)),
)
boards = st.builds(lambda slots: BoardView(tuple(slots.items())), st.dictionaries(st.sampled_from("abcd"), views))


@given(boards, boards)
def test_doing_the_steps_makes_the_wanted_table(now: BoardView, wanted: BoardView) -> None:
    faces = {s: now.at(s).face for s in "abcd"}
    pieces = {s: dict(now.at(s).pieces) for s in "abcd"}
    for step in hand_steps(now, wanted):
        facts = dict(step.facts)
        if "face" in facts:
            assert facts.get("source") is None or faces[facts["source"]] == facts["face"]
            if "source" in facts:
                faces[facts["source"]] = None
            if "put" in step.message or "move" in step.message:
                assert faces[facts["slot"]] is None, "a face is put only where none lies"
                faces[facts["slot"]] = facts["face"]
            else:
                faces[facts["slot"]] = None
            continue
        colour, count = facts["colour"], facts["count"]
        takes = facts.get("source") or (facts["slot"] if "give" in step.message else None)
        if takes is not None:
            assert pieces[takes].get(colour, 0) >= count
            pieces[takes][colour] -= count
        if "give" not in step.message:
            pieces[facts["slot"]][colour] = pieces[facts["slot"]].get(colour, 0) + count
    for slot in "abcd":
        assert faces[slot] == wanted.at(slot).face
        assert {c: n for c, n in pieces[slot].items() if n} == dict(wanted.at(slot).pieces)
