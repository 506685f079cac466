"""Pictures of one still scene, fused slot by slot: what they say of what lies there, and what is searched further."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import pytest
from followed_table import Table, sample_rules

from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import BoardView, SlotView
from companion.table.tracking.hypotheses import Believed, changed_slots, root
from companion.table.tracking.reading.evidence import FRAME_WEIGHTS, TableEvidence
from companion.table.tracking.reading.still_scene import StillScene

LEAF, DROP = "flora-1-a", "water-1-a"


def reading(face: str | None = LEAF, face_p: float = 0.99, cubes: int = 0, cubes_p: float = 0.98) -> SlotReading:
    pieces = (PieceReading("purple", cubes, cubes_p),) if cubes else ()
    return SlotReading("r1c1", Sight.SEEN, ((face, log(face_p)),), None, pieces, cubes_p)


def fused(*readings: SlotReading) -> TableEvidence:
    scene = StillScene(lambda face: face)
    evidence = TableEvidence((), {})
    for number, one in enumerate(readings):
        evidence = scene.add(BoardObservation(number, 50 * number, ViewState.SETTLED, (one,)))
    return evidence


def cubed(count: int, face: str | None = LEAF) -> SlotView:
    return SlotView(face, None, (("purple", count),) if count else ())


@pytest.mark.parametrize(
    ("lies", "expected"),
    [
        (cubed(1), log(0.99) + log(0.98)),
        (cubed(0), log(0.99) + log(0.02 / 2)),  # one too many was counted: one error
        (cubed(3), log(0.99) + log(0.02 / 4)),  # two were overlooked: two errors
        (cubed(1, DROP), log(0.01 / 20) + log(0.98)),  # what is left is shared among faces that were not tried
    ],
)
def test_one_reading_says_of_each_view_what_it_claims_of_itself(lies: SlotView, expected: float) -> None:
    assert fused(reading(cubes=1)).of("r1c1").log_likelihood(lies) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("counted", "face", "lie", "expected"),
    [
        (3, None, 4, log(0.1 / 2)), (3, None, 2, log(0.02 / 2)),  # a piece hides another one, and shows none
        (2, None, 3, log(0.02 / 2)), (3, LEAF, 4, log(0.99) + log(0.02 / 2)),
    ],
    ids=["one more behind three", "one fewer", "behind two", "on a face"],
)
def test_one_more_may_stand_behind_a_crowd_on_bare_table(
    counted: int, face: str | None, lie: int, expected: float
) -> None:
    seen = fused(reading(face, 0.99 if face else 1.0, cubes=counted)).of("r1c1")
    one_face = seen.log_likelihood(cubed(lie, face))
    assert one_face - (0.0 if face else log(0.995)) == pytest.approx(expected)


def test_a_face_that_the_reader_weighed_and_refused_is_as_likely_as_one_that_it_did_not_try() -> None:
    weighed = SlotReading("r1c1", Sight.SEEN, ((LEAF, log(0.9999)), (DROP, log(1e-9))), None, (), 0.98)
    refused = fused(weighed).of("r1c1").log_likelihood(cubed(0, DROP))
    assert refused == fused(reading(LEAF, 0.9999)).of("r1c1").log_likelihood(cubed(0, DROP))


@pytest.mark.parametrize(("counts_p", "surest"), [(0.95, 0.995), (0.85, 0.7), (0.0, 0.7)])
def test_a_face_that_does_not_explain_what_is_seen_is_not_believed_surely(counts_p: float, surest: float) -> None:
    seen = fused(reading(LEAF, 0.9999, cubes_p=counts_p)).of("r1c1")
    other = seen.log_likelihood(cubed(0)) - seen.log_likelihood(cubed(0, DROP))
    assert other == pytest.approx(log(surest) - log((1 - surest) / 20))


def test_pieces_that_do_not_explain_what_is_seen_leave_it_sure_that_a_face_lies_there() -> None:
    for counts_p in (0.95, 0.0):
        seen = fused(reading(LEAF, 0.9999, cubes_p=counts_p)).of("r1c1")
        bare, pieces = SlotView(), max(counts_p, 0.25)
        assert seen.log_likelihood(bare) == pytest.approx(log(0.005 / 20) + log(pieces))


@pytest.mark.parametrize(("counts_p", "sure"), [(0.98, True), (0.5, False)])
def test_a_face_lies_where_the_pieces_are_explained_whichever_it_is(counts_p: float, sure: bool) -> None:
    one = fused(reading(face_p=0.06, cubes_p=counts_p)).of("r1c1")
    others = one.log_likelihood(SlotView(DROP)) - one.log_likelihood(SlotView())
    assert (others > log(100.0)) is sure


@pytest.mark.parametrize(
    ("face_p", "counts_p", "clear"), [(0.9, 0.9, True), (0.4, 0.9, False), (0.9, 0.1, False)]
)
def test_a_slot_is_clearly_read_by_its_face_and_its_counts(face_p: float, counts_p: float, clear: bool) -> None:
    assert (cubed(0) in fused(reading(LEAF, face_p, cubes_p=counts_p)).of("r1c1").clear) == clear
    again = fused(reading(LEAF, face_p, cubes_p=counts_p), reading(LEAF, 0.9)).of("r1c1")
    assert cubed(0) in again.clear


def test_a_face_that_is_flagged_as_unsure_is_named_by_no_picture_but_by_one_that_is_sure() -> None:
    unsure, sure = reading(LEAF, 0.85), reading(LEAF, 0.95)
    assert fused(unsure, unsure).of("r1c1").named == frozenset()
    assert fused(unsure, sure, unsure).of("r1c1").named == {LEAF}


@pytest.mark.parametrize(("sure_of", "told"), [(("red",), True), (("blue",), False), ((), False)])
def test_other_pieces_are_surely_seen_where_one_picture_is_sure_of_a_count_that_tells(
    sure_of: tuple[str, ...], told: bool
) -> None:
    doubted = tuple((colour, 0.95 if colour in sure_of else 0.85) for colour in ("red", "blue"))
    pieces_p = 0.98 * doubted[0][1] * doubted[1][1]
    read = SlotReading(
        "r1c1|r1c2", Sight.SEEN, ((None, 0.0),), None, (PieceReading("red", 1, pieces_p),), pieces_p, doubted
    )
    seen = SlotView(None, None, (("red", 1),))
    assert fused(read, read).of("r1c1|r1c2").is_surely_other(seen, SlotView()) is told


def doubting_black(*pieces: tuple[str, int], p: float = 0.5) -> SlotReading:
    """A gap beside which black pieces might not show: of the others it is 0.98 sure, of black `p`."""
    counts = tuple(PieceReading(colour, count, 0.98 * p) for colour, count in pieces)
    return SlotReading("r1c1|r1c2", Sight.SEEN, ((None, 0.0),), None, counts, 0.98 * p, (("black", p),))


@pytest.mark.parametrize(
    ("lies", "expected"),
    [
        ((("blue", 1),), log(0.98) + log(0.5)),
        ((("black", 1), ("blue", 1)), log(0.98) + log(0.5 / 2)),  # a black one may be missed
        ((), log(0.02 / 2) + log(0.5)),  # the blue one is there
        ((("blue", 1), ("red", 1)), log(0.02 / 2) + log(0.5)),  # and no red one
    ],
)
def test_a_colour_that_might_not_show_leaves_the_others_sure(
    lies: tuple[tuple[str, int], ...], expected: float
) -> None:
    gap = fused(doubting_black(("blue", 1))).of("r1c1|r1c2")
    assert gap.log_likelihood(SlotView(None, None, lies)) == pytest.approx(log(0.995) + expected)


def test_a_gap_in_which_one_colour_is_doubted_is_clearly_read() -> None:
    assert SlotView() in fused(doubting_black(p=0.25)).of("r1c1|r1c2").clear


def test_five_pictures_count_as_their_weights_say_and_a_sixth_replaces_the_first() -> None:
    one = fused(reading()).of("r1c1").log_likelihood(cubed(1))
    five = fused(*[reading()] * 5).of("r1c1")
    assert five.log_likelihood(cubed(1)) == pytest.approx(sum(FRAME_WEIGHTS) * one)
    assert five.weight == pytest.approx(sum(FRAME_WEIGHTS))
    six = fused(reading(DROP), *[reading()] * 5)
    assert six.of("r1c1").log_likelihood(cubed(1)) == pytest.approx(five.log_likelihood(cubed(1)))
    assert six.frames == (1, 2, 3, 4, 5)


def test_a_covered_slot_says_nothing_and_leaves_the_other_pictures_their_weights() -> None:
    covered = SlotReading("r1c1", Sight.COVERED)
    assert not fused(covered).of("r1c1").visible
    assert fused(covered).of("r1c1").log_likelihood(cubed(1)) == 0.0
    between = fused(reading(), covered, reading()).of("r1c1")
    assert between.log_likelihood(cubed(0)) == fused(reading(), reading()).of("r1c1").log_likelihood(cubed(0))


def test_the_likeliest_view_is_the_one_that_most_pictures_speak_for() -> None:
    assert fused(reading(cubes=1), reading(), reading()).of("r1c1").most_likely() == cubed(0)
    assert fused(reading(DROP, 0.6), reading(), reading()).of("r1c1").most_likely() == cubed(0)


def test_faces_that_look_the_same_share_their_probability() -> None:
    scene = StillScene(lambda face: LEAF if face == "flora-1-b" else face)
    both = SlotReading("r1c1", Sight.SEEN, ((LEAF, log(0.5)), ("flora-1-b", log(0.4))))
    evidence = scene.add(BoardObservation(1, 0, ViewState.SETTLED, (both,)))
    assert exp(evidence.of("r1c1").log_likelihood(cubed(0))) == pytest.approx(0.9 * 0.99, rel=1e-6)


def test_slots_that_read_as_believed_in_every_picture_are_not_searched_for_changes() -> None:
    table = Table.dealt()
    slots = tuple(outline.slot for outline in table.rules.layout().slots)
    start = root(table.rules, Believed(table.tracker.state, table.view), slots)
    scene = StillScene(sample_rules().same_face)
    for _ in FRAME_WEIGHTS:
        evidence = scene.add(table.eyes.look(table.view))
        assert changed_slots(start, evidence, slots) == frozenset()
    table.put("r2c2", "pink")
    evidence = scene.add(table.eyes.look(table.view))
    assert changed_slots(start, evidence, slots) == {"r2c2"}


def test_a_slot_that_goes_on_reading_the_same_is_not_fused_anew() -> None:
    scene, still = StillScene(lambda face: face), replace(reading(), slot="r2c2")
    seen = [
        scene.add(BoardObservation(number, 50 * number, ViewState.SETTLED, (one, still)))
        for number, one in enumerate([*[reading()] * len(FRAME_WEIGHTS), reading(DROP)])
    ]
    assert seen[-1].of("r2c2") is seen[-2].of("r2c2")
    assert seen[-1].of("r1c1") == fused(*[reading()] * (len(FRAME_WEIGHTS) - 1), reading(DROP)).of("r1c1")


@pytest.mark.parametrize(("p", "perhaps"), [(0.5, {"r1c1"}), (0.9, set())])
def test_a_piece_that_is_as_likely_none_has_perhaps_come_to_a_slot_without_it(p: float, perhaps: set[str]) -> None:
    one = SlotReading("r1c1", Sight.SEEN, ((LEAF, log(0.99)),), None, (PieceReading("purple", 1, p),), p,
                      doubted=(("purple", p),))  # fmt: skip
    evidence = fused(one)
    assert evidence.perhaps_come(BoardView((("r1c1", cubed(0)),))) == perhaps
    assert not evidence.perhaps_come(BoardView((("r1c1", cubed(1)),)))


@pytest.mark.parametrize(
    ("waiting", "again", "cubes", "pictures"),
    [
        (("r1c1",), LEAF, 0, 1.7), ((), LEAF, 0, 1.0), (("r1c1",), DROP, 0, 1.0), (("r1c2",), LEAF, 0, 1.0),
        (("r1c1",), LEAF, 1, 1.0),
    ],
    ids=["read alike", "it did not wait", "read as another", "another place waits", "a cube hides the same"],
)  # fmt: skip
def test_a_face_that_waits_for_its_name_was_read_in_the_scene_before(
    waiting: tuple[str, ...], again: str, cubes: int, pictures: float
) -> None:
    scene = StillScene(lambda face: face)
    scene.add(BoardObservation(0, 0, ViewState.SETTLED, (reading(LEAF, 0.9, cubes),)))
    scene.clear(waiting)
    scene.clear(waiting)  # a hand that stays is one change of scene after another
    seen = scene.add(BoardObservation(1, 500, ViewState.SETTLED, (reading(again, 0.9, cubes),))).of("r1c1")
    assert seen.weight == pytest.approx(pictures)
    one = fused(reading(again, 0.9, cubes)).of("r1c1")
    lies, rival = cubed(cubes, again), cubed(cubes, "fire-1-a")
    apart = [each.log_likelihood(lies) - each.log_likelihood(rival) for each in (seen, one)]
    assert apart[0] == pytest.approx(pictures * apart[1])


def test_the_picture_of_the_scene_before_counts_until_there_are_enough_of_this_one() -> None:
    scene = StillScene(lambda face: face)
    scene.add(BoardObservation(0, 0, ViewState.SETTLED, (reading(LEAF, 0.9),)))
    scene.clear(("r1c1",))
    counts = [
        scene.add(BoardObservation(number, 50 * number, ViewState.SETTLED, (reading(LEAF, 0.9),))).of("r1c1").count
        for number in range(1, 8)
    ]
    assert counts == [2, 3, 4, 5, 5, 5, 5]
