"""Standings, their tie-breaks in words, and statistics, against figures counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from event_kit import PlayedEvent

from companion.hub.events.changes import PlayerChanged, RoundPaired
from companion.hub.events.games import games, points_of
from companion.hub.events.model import (
    Criterion,
    EventRules,
    Player,
    RoundTable,
    SeatResult,
    Shared,
    Source,
    TableResult,
)
from companion.hub.events.standings import EXPLAINED, TITLES, decimal, spoken, standings
from companion.hub.events.statistics import careers
from companion.i18n import LANGUAGES, localize, translations

F = Fraction


@pytest.mark.parametrize(
    ("places", "shared", "expected"),
    [
        ([1, 2, 3, 4], Shared.MEAN, [6, 4, 2, 0]),
        ([1, 2, 3], Shared.MEAN, [6, 3, 0]),
        ([1, 2], Shared.MEAN, [6, 0]),
        ([1, 1, 3, 4], Shared.MEAN, [5, 5, 2, 0]),
        ([1, 2, 2, 2], Shared.MEAN, [6, 2, 2, 2]),
        ([1, 1, 1, 1], Shared.MEAN, [3, 3, 3, 3]),
        ([1, 1, 1, 1], Shared.BEST, [6, 6, 6, 6]),  # won together
        ([4, 4, 4, 4], Shared.BEST, [0, 0, 0, 0]),  # lost together
        ([2, 1, None, 3], Shared.MEAN, [3, 6, 0]),  # somebody did not come: a table of three
        ([None, 1, None, None], Shared.MEAN, [6]),
    ],
)
def test_points_follow_places(places: list[int | None], shared: Shared, expected: list[int]) -> None:
    result = TableResult(tuple(SeatResult(n, place) for n, place in enumerate(places)), Source.PAPER)
    assert [part.points for part in points_of(EventRules("envyra", "s", shared=shared), result)] == expected


def two_tables(order: tuple[Criterion, ...]) -> PlayedEvent:
    """Six at tables of three; 1, 2, 3 (places 1, 2, 2) and 4, 5, 6 (places 1, 2, 3), then 1, 5, 6 and 4, 2, 3."""
    played = PlayedEvent(6, sizes=(3,), points=((F(6), F(3), F(0)),), order=order)
    for tables in (((1, 2, 3), (4, 5, 6)), ((1, 5, 6), (4, 2, 3))):
        made = tuple(RoundTable(n + 1, None, seats) for n, seats in enumerate(tables))
        played.change(RoundPaired(made, (), "s", 0, 0))
        played.start()
        if len(played.event.rounds) == 1:
            played.give(1, [1, 2, 2], [10, 5, 5])
            played.give(2, [1, 2, 3], [9, 6, 3])
        else:
            played.give(1, [1, 2, 3], [8, 2, 0])
            played.give(2, [1, 3, 2], [30, 10, 20])
    return played


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Criterion.POINTS, {1: 12, 4: 12, 5: 6, 3: F(9, 2), 2: F(3, 2), 6: 0}),
        (Criterion.WINS, {1: 2, 4: 2, 5: 0, 3: 0, 2: 0, 6: 0}),
        # 1 met 2, 3, 5, 6 and 4 met 5, 6, 2, 3: the same four; 5 met 4, 6, 1, 6.
        (Criterion.OPPONENTS, {1: 3, 4: 3, 5: 6, 3: F(27, 4), 2: F(33, 4), 6: F(36, 4)}),
        (Criterion.OPPONENTS_CUT, {1: 3, 4: 3, 5: 6, 3: F(27, 4), 2: F(33, 4), 6: 9}),
        (Criterion.SHARE, {1: F(10, 20) + F(8, 10), 4: F(9, 18) + F(30, 60), 5: F(6, 18) + F(2, 10),
                           3: F(5, 20) + F(20, 60), 2: F(5, 20) + F(10, 60), 6: F(3, 18)}),
        (Criterion.SCORE, {1: 18, 4: 39, 5: 8, 3: 25, 2: 15, 6: 3}),
    ],
)  # fmt: skip
def test_each_criterion_is_counted_as_by_hand(kind: Criterion, expected: dict[int, Fraction]) -> None:
    rows = standings(two_tables((Criterion.POINTS, *({kind} - {Criterion.POINTS}))).event)
    got = {row.player.number: row.values[-1] for row in rows}
    assert got == expected


def test_equal_players_share_a_rank_and_the_next_is_behind_both() -> None:
    rows = standings(two_tables((Criterion.POINTS,)).event)
    assert [(row.rank, row.player.number) for row in rows] == [(1, 1), (1, 4), (3, 5), (4, 3), (5, 2), (6, 6)]
    assert str(rows[0].why) == "Equal in everything that is compared."
    assert str(rows[1].why) == "Ahead of Emil: Points 12 to 6."
    assert str(rows[-1].why) == "The last of the standings."


def test_a_tie_break_is_told_with_its_values() -> None:
    rows = standings(two_tables((Criterion.POINTS, Criterion.SHARE)).event)
    assert [row.player.number for row in rows[:2]] == [1, 4]
    assert str(rows[0].why) == "Ahead of Dana: Share of the scores 1.3 to 1."


def test_direct_encounter_decides_only_among_those_who_all_met() -> None:
    order = (Criterion.POINTS, Criterion.DIRECT)
    rows = standings(two_tables(order).event)
    assert [(row.rank, row.player.number) for row in rows[:2]] == [(1, 1), (1, 4)]  # 1 and 4 never met
    played = PlayedEvent(2, sizes=(2,), points=((F(6), F(3)),), order=order, rounds=2)
    for places, swapped in (([1, 2], False), ([1, 2], True)):
        seats = (2, 1) if swapped else (1, 2)
        played.change(RoundPaired((RoundTable(1, None, seats),), (), "s", 0, 0))
        played.start()
        played.give(1, places)
    assert [row.values[1] for row in standings(played.event)] == [F(1), F(1)]


def test_the_lot_is_the_seeds() -> None:
    order = (Criterion.POINTS, Criterion.LOT)
    first, second = (standings(PlayedEvent(8, order=order).event) for _ in range(2))
    assert [row.player.number for row in first] == [row.player.number for row in second]
    assert [row.rank for row in first] == list(range(1, 9))


def test_byes_count_their_points_and_no_game() -> None:
    played = PlayedEvent(5, sizes=(4,), points=((F(6), F(4), F(2), F(0)),))
    played.play()
    alone = played.event.rounds[0].byes[0]
    row = next(row for row in standings(played.event) if row.player.number == alone)
    assert (row.games, row.byes, row.values[0]) == (0, 1, 6)


def test_standings_after_an_earlier_round_do_not_know_the_later_ones() -> None:
    played = PlayedEvent(8)
    played.play()
    first = standings(played.event)
    played.play()
    assert standings(played.event, through=1) == first
    assert standings(played.event) != first
    assert len(games(played.event, through=1)) == 2


def test_a_gone_player_stays_in_the_standings() -> None:
    played = PlayedEvent(4)
    played.play()
    played.change(PlayerChanged(Player(1, "Anna", here=False)))
    assert standings(played.event)[0].player.name == "Anna"


def test_careers_add_up_over_events_and_know_who_met_whom() -> None:
    one, two = two_tables((Criterion.POINTS,)), two_tables((Criterion.POINTS,))
    two.change(PlayerChanged(Player(4, "dana", anonymous=True)))
    by = {each.key: each for each in careers([one.event, two.event])}
    anna, dana = by["anna"], by["dana"]
    assert (anna.events, anna.games, anna.wins, anna.points) == (2, 4, 4, 24)
    assert anna.scores == (10, 8, 10, 8)
    assert dana.anonymous
    assert not anna.anonymous
    assert "dana" not in anna.against
    met = by["emil"].against["fela"]
    assert (met.games, met.ahead, met.behind) == (4, 4, 0)
    assert by["bert"].against["cyril"].games == 4
    assert by["bert"].against["cyril"].ahead == 0  # once the same place, once behind, in each event
    assert by["bert"].against["cyril"].behind == 2


def test_every_criterion_has_a_title_and_is_explained() -> None:
    assert set(TITLES) == set(EXPLAINED) == set(Criterion)


@pytest.mark.parametrize(
    ("value", "text"), [(F(3), "3"), (F(27, 4), "6.75"), (F(1, 3), "0.33"), (F(3, 2), "1.5"), (None, "")]
)
def test_values_are_written_as_people_write_them(value: Fraction | None, text: str) -> None:
    assert decimal(value) == text


def test_values_have_the_decimal_mark_of_the_reader() -> None:
    read = {language: localize(spoken(F(27, 4)), translations(language).gettext) for language in LANGUAGES}
    assert read == {"en": "6.75", "sk": "6,75", "cs": "6,75"}
    assert localize(spoken(F(3)), translations("sk").gettext) == "3"
