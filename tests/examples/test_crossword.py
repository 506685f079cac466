"""Facts about the crossword example: its rules clause by clause, and games followed from what pictures show."""

from __future__ import annotations

import pytest

from companion.core.types import Seat, SeatInfo, Setup
from examples.crossword.board import letter_factors, word_factors
from examples.crossword.catalogue import load_catalogue
from examples.crossword.follow import GameFollower
from examples.crossword.pictures import SeenPicture, SeenSquare
from examples.crossword.rules import CrosswordRules

GERMAN = load_catalogue("german")
SETUP = Setup("crossword", (SeatInfo("Ana", "red"), SeatInfo("Bo", "blue")), "german")
RULES = CrosswordRules(SETUP, GERMAN)


def played(*texts: str) -> object:
    state = RULES.initial()
    for text in texts:
        state = RULES.apply(state, RULES.parse(text))
    return state


HUT = "A lay r8c8=h r8c9=u r8c10=t"


def test_the_box_and_the_board_are_those_of_the_printed_ones() -> None:
    assert GERMAN.piece_counts == {"tiles": 102}
    squares = [*word_factors().values()], [*letter_factors().values()]
    assert [(kind.count(2), kind.count(3)) for kind in squares] == [(17, 8), (24, 12)]


@pytest.mark.parametrize(
    ("before", "text", "clause"),
    [
        ((), "A lay r1c1=h r1c2=u r1c3=t", "C1"),
        ((), "A lay r8c8=h", "C1"),
        ((), "A lay r8c8=h r9c9=u", "C2"),
        ((), "A lay r8c8=h r8c10=u", "C2"),
        ((HUT,), "B lay r1c1=a r1c2=n", "C3"),
        ((HUT,), "B lay r8c8=a", "C4"),
        ((), "A lay r8c8=q r8c9=q", "C6"),
        ((), "A lay r8c8=zz r8c9=a", "C6"),
        ((), "A lay r8c4=a r8c5=a r8c6=a r8c7=a r8c8=a r8c9=e r8c10=e r8c11=e", "C5"),
        ((), "B lay r8c8=h r8c9=u", "C9"),
        ((), "A challenge", "C10"),
        ((HUT,), "A finish", "C11"),
        ((), "A left e", "C12"),
    ],
)
def test_what_is_not_allowed_names_its_clause(before: tuple[str, ...], text: str, clause: str) -> None:
    violation = RULES.check(played(*before), RULES.parse(text))
    assert violation is not None
    assert violation.clause == clause


def test_a_word_counts_its_letters_and_the_squares_under_fresh_tiles() -> None:
    # hand count: H 2 + U 1 + T 1 on the middle, which doubles: 8; MESSEN down through the E of HUTE: 16 + 5
    state = played(HUT, "B lay r4c11=m r5c11=e r6c11=s r7c11=s r8c11=e r9c11=n")
    assert state.points == (8, 21)


def test_seven_tiles_count_fifty_more() -> None:
    # hand count: A E N I S T R, 7 points, doubled by the middle, and 50
    assert played("A lay r8c5=a r8c6=e r8c7=n r8c8=i r8c9=s r8c10=t r8c11=r").points[0] == 2 * 7 + 50


def test_a_challenge_takes_tiles_and_points_back_and_the_turn_is_lost() -> None:
    state = played(HUT, "B challenge")
    assert (state.board, state.points, RULES.to_act(state)) == ((), (0, 0), (Seat.B,))


def test_the_game_ends_after_two_rounds_without_a_word_and_tiles_left_over_are_taken_off() -> None:
    state = played(HUT, "B pass", "A pass", "B exchange 2", "A pass", "A left e n", "B left q")
    result = RULES.result(state)
    assert result is not None
    assert [score.total for score in result.scores] == [6, -10]
    assert result.winners == (Seat.A,)


def test_a_state_survives_being_written_down() -> None:
    state = played(HUT, "B pass")
    assert RULES.load(RULES.dump(state)) == state


def picture(name: str, letters: dict[tuple[int, int], str], **unsure: dict[str, float]) -> SeenPicture:
    squares = {square: SeenSquare({letter: 0.98, "": 0.01}) for square, letter in letters.items()}
    for where, likely in unsure.items():
        column, row = where[1:].split("_")
        squares[int(column), int(row)] = SeenSquare(likely, unsure=True)
    return SeenPicture(name, squares)


FIRST = {(7, 7): "H", (8, 7): "U", (9, 7): "T"}


def followed(*pictures: SeenPicture) -> list[tuple[str, int | None, int]]:
    return [(one.kind, one.player, one.points) for one in GameFollower(GERMAN).follow(pictures)]


def test_names_before_the_empty_board_are_no_words_and_turns_alternate() -> None:
    shown = [picture("0", {(7, 7): "A"}), picture("1", {}), picture("2", FIRST), picture("3", FIRST),
             picture("4", FIRST | {(10, 7): "E"})]  # fmt: skip
    assert followed(*shown) == [
        ("names", None, 0), ("empty", None, 0), ("move", 0, 8), ("pass_or_exchange", 1, 0), ("move", 0, 5),
    ]


def test_tiles_that_come_off_again_are_a_withdrawal() -> None:
    assert followed(picture("1", {}), picture("2", FIRST), picture("3", {}), picture("4", FIRST))[1:] == [
        ("move", 0, 8), ("withdrawal", 0, -8), ("move", 1, 8),
    ]


def test_an_illegal_word_is_named_with_its_clause_and_not_scored() -> None:
    far = FIRST | {(0, 0): "A", (1, 0): "N"}
    last = GameFollower(GERMAN).follow((picture("1", {}), picture("2", FIRST), picture("3", far)))[-1]
    assert (last.kind, last.violation and last.violation[0], last.totals) == ("unexplained", "C3", (8, 0))


def test_a_doubtful_letter_is_what_the_other_pictures_of_the_tile_show() -> None:
    doubt = {"T": 0.5, "I": 0.45}
    shown = GameFollower(GERMAN).follow(
        (picture("1", {}), picture("2", {(7, 7): "H", (8, 7): "U"}, _9_7=doubt), picture("3", FIRST))
    )
    assert [one.letters.get((9, 7)) for one in shown] == [None, "T", "T"]
    assert [bool(one.unsure) for one in shown] == [False, False, False]
    alone = GameFollower(GERMAN).follow((picture("1", {}), picture("2", {(7, 7): "H", (8, 7): "U"}, _9_7=doubt)))
    assert alone[-1].unsure


def test_two_turns_between_two_pictures_are_not_guessed() -> None:
    # A column below the H, and a row through its middle tile: two turns, or three
    both = FIRST | {(7, 8): "A", (7, 9): "N", (7, 10): "D", (8, 9): "I", (9, 9): "E"}
    shown = GameFollower(GERMAN).follow((picture("1", {}), picture("2", FIRST), picture("3", both)))[-1]
    assert (shown.kind, shown.violation and shown.violation[0], shown.totals, shown.sure) == (
        "unexplained", "C2", (8, 0), False,
    )


def test_a_word_that_comes_off_and_the_next_one_between_two_pictures_are_told_one_after_the_other() -> None:
    # hand counts: HUTE 5; the column H E I 2 + 1 + 1, of which the I lies on no premium square
    shown = [picture("1", {}), picture("2", FIRST), picture("3", FIRST | {(10, 7): "E"}),
             picture("4", FIRST | {(7, 8): "E", (7, 9): "I"})]  # fmt: skip
    assert followed(*shown)[1:] == [("move", 0, 8), ("move", 1, 5), ("withdrawal", 1, -5), ("move", 0, 4)]


def test_what_follows_an_unexplained_picture_is_followed_again_and_the_totals_say_that_they_are_unsure() -> None:
    far = FIRST | {(0, 0): "A", (1, 0): "N"}
    after = far | {(10, 7): "E"}
    shown = GameFollower(GERMAN).follow(
        (picture("1", {}), picture("2", FIRST), picture("3", far), picture("4", after))
    )
    assert [(one.kind, one.player, one.points, one.sure) for one in shown[1:]] == [
        ("move", 0, 8, True), ("unexplained", 1, 0, False), ("move", 0, 5, False),
    ]


def test_without_a_picture_of_the_empty_board_the_game_begins_with_the_first_tiles_that_stay() -> None:
    names, longer = {(7, 7): "A", (8, 7): "B"}, FIRST | {(10, 7): "E"}
    assert followed(picture("0", names), picture("1", FIRST), picture("2", longer)) == [
        ("names", None, 0), ("move", 0, 8), ("move", 1, 5),
    ]


def test_a_doubtful_square_does_not_hide_that_the_board_is_empty() -> None:
    shown = GameFollower(GERMAN).follow((picture("1", {}, _0_0={"_": 0.6, "": 0.4}), picture("2", FIRST)))
    assert [one.kind for one in shown] == ["empty", "move"]
    assert shown[0].unsure


def test_pictures_of_one_turn_taken_again_and_again_do_not_end_the_game_for_good() -> None:
    shown = [picture("0", {}), *(picture(f"1{n}", FIRST) for n in range(8)), picture("2", FIRST | {(10, 7): "E"})]
    found = GameFollower(GERMAN).follow(shown)
    assert [one.kind for one in found[2:9]] == ["pass_or_exchange"] * 7
    assert [one.player for one in found[2:9]] == [1, 0, 1, 0, None, None, None]  # C11: two rounds without a word
    assert (found[-1].kind, found[-1].points, found[-1].sure) == ("move", 5, False)


def test_points_of_a_word_with_a_doubtful_letter_are_not_sure() -> None:
    doubt = {"T": 0.5, "I": 0.45}
    shown = GameFollower(GERMAN).follow((picture("1", {}), picture("2", {(7, 7): "H", (8, 7): "U"}, _9_7=doubt)))
    assert (shown[-1].kind, shown[-1].sure) == ("move", False)


def test_a_square_under_a_hand_is_what_the_pictures_before_and_after_show() -> None:
    hand = {square: SeenSquare({}, unsure=True, covered=True) for square in ((7, 7), (3, 3), (10, 7))}
    held = SeenPicture("3", {**picture("", FIRST).squares, **hand})
    longer = FIRST | {(10, 7): "E"}
    shown = GameFollower(GERMAN).follow([picture("1", {}), picture("2", FIRST), held, picture("4", longer)])
    assert [(one.kind, one.points) for one in shown[1:]] == [("move", 8), ("move", 5), ("pass_or_exchange", 0)]
    assert shown[2].letters == longer
    assert not shown[2].sure  # the E may have been laid a turn later
    assert list(shown[2].unsure) == [(10, 7)]


def test_a_tile_under_a_hand_belongs_to_the_turn_in_which_it_can_have_been_laid() -> None:
    both = FIRST | {(7, 8): "A", (7, 9): "N", (9, 8): "E"}
    hand = {(9, 8): SeenSquare({}, unsure=True, covered=True)}
    held = SeenPicture("3", {**picture("", {s: x for s, x in both.items() if s not in hand}).squares, **hand})
    shown = followed(picture("1", {}), picture("2", FIRST), held, picture("4", both))
    assert [kind for kind, *_ in shown[1:]] == ["move", "move", "move"]


def test_four_players_take_turns() -> None:
    tiles = FIRST
    shown = [picture("0", {}), picture("1", tiles)]
    for n, letter in enumerate("ENDEN"):
        tiles = tiles | {(10 + n, 7): letter}
        shown.append(picture(str(n + 2), tiles))
    found = GameFollower(GERMAN, players=4).follow(shown)
    assert [one.player for one in found] == [None, 0, 1, 2, 3, 0, 1]
    assert len(found[-1].totals) == 4
