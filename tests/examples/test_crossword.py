"""Facts about the crossword example: its rules clause by clause, and games followed from what pictures show."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import DataError
from companion.core.types import Seat, SeatInfo, Setup
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
    squares = "".join(GERMAN.premiums.rows)
    assert [squares.count(sign) for sign in "DTdt"] == [17, 8, 24, 12]


def test_another_board_is_a_catalogue_of_its_own(tmp_path: Path) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text(GERMAN.text.replace("T..d...D...d..T", "T..d.......d..T"), encoding="utf-8")
    rules = CrosswordRules(SETUP, load_catalogue(plain))
    state = rules.apply(rules.initial(), rules.parse(HUT))
    assert state.points == (4, 0)  # the middle doubles no word: H 2 + U 1 + T 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("...t...t...", "...x...t...", "expected 15 of the signs"),
        ("\n....D.....D....", "", "expected 15 rows, got 13"),
        ("[board]", "[plank]", "missing"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(GERMAN.text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_catalogue(mine)


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
    # a column below the H, or one to the left of it: either may have been first, with other points for each player
    both = FIRST | {(7, 8): "A", (7, 9): "N", (7, 10): "D", (6, 7): "E", (6, 6): "I", (6, 5): "E"}
    shown = GameFollower(GERMAN).follow((picture("1", {}), picture("2", FIRST), picture("3", both)))[-1]
    assert (shown.kind, shown.violation and shown.violation[0], shown.totals, shown.sure) == (
        "unexplained", "C2", (8, 0), False,
    )


def test_who_lays_next_is_known_when_a_picture_is_missing() -> None:
    # two words beside each other, of which either may have been the first: two turns, whosever
    both = FIRST | {(7, 8): "A", (7, 9): "N", (9, 8): "E", (9, 9): "I"}
    after = both | {(10, 7): "E"}
    shown = [picture("1", {}), picture("2", FIRST), picture("3", both), picture("4", after)]
    found = GameFollower(GERMAN).follow(shown)
    assert [(one.kind, one.player) for one in found[1:]] == [("move", 0), ("unexplained", 1), ("move", 1)]
    assert not found[-1].sure


def test_turns_that_can_be_divided_in_one_way_only_are_told_one_by_one() -> None:
    # seven tiles go on from the end of a column of three: with that end they would be eight in a turn
    tiles = {(7, 8 + n): letter for n, letter in enumerate("AND")}
    tiles |= {(8 + n, 10): letter for n, letter in enumerate("ENTERIS")}
    found = GameFollower(GERMAN).follow((picture("1", {}), picture("2", FIRST), picture("3", FIRST | tiles)))
    assert [(one.kind, one.player) for one in found[1:]] == [("move", 0), ("move", 1), ("move", 0)]
    assert found[-1].bonus == 50
    assert not found[-1].sure  # somebody may have passed


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


def test_tiles_that_look_gone_at_the_edge_of_a_hand_were_not_taken_away() -> None:
    longer = FIRST | {(10, 7): "E"}
    seen = {square: letter for square, letter in longer.items() if square != (9, 7)}
    hand = {(9, 8): SeenSquare({}, unsure=True, covered=True)}
    held = SeenPicture("3", {**picture("", seen).squares, **hand})
    found = GameFollower(GERMAN).follow([picture("1", {}), picture("2", FIRST), held, picture("4", longer)])
    assert [one.kind for one in found[1:]] == ["move", "move", "pass_or_exchange"]
    assert found[2].letters == longer


def test_four_players_take_turns() -> None:
    tiles = FIRST
    shown = [picture("0", {}), picture("1", tiles)]
    for n, letter in enumerate("ENDEN"):
        tiles = tiles | {(10 + n, 7): letter}
        shown.append(picture(str(n + 2), tiles))
    found = GameFollower(GERMAN, players=4).follow(shown)
    assert [one.player for one in found] == [None, 0, 1, 2, 3, 0, 1]
    assert len(found[-1].totals) == 4
