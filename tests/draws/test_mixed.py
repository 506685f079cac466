"""The real bag and the digital one draw from one supply; a count that does not fit is asked about."""

from __future__ import annotations

import pytest
from draw_records import play_urn
from urn_game import UrnRules

from companion.draws.mixed import ALL, BagDifference, Drawer, compare, supply_ranges, switch

SUPPLY = {
    "count": 14,
    "themes": {
        "flora": {"known": 0, "possible": 9},
        "fire": {"known": 2, "possible": 5},
        "end": {"known": 1, "possible": 0},
    },
}
RANGES = supply_ranges(SUPPLY)


@pytest.mark.parametrize(
    ("group", "expected"),
    [(ALL, (14, 14)), ("end", (1, 1)), ("flora", (6, 9)), ("fire", (4, 7))],
)
def test_range_of_a_group_follows_from_what_is_known_and_possible(group: str, expected: tuple[int, int]):
    # flora: at most its 9 unseen tiles; at least 14 - (7 fire + 1 end) = 6; fire likewise 14 - (9 + 1) = 4
    assert RANGES[group] == expected


def test_bag_that_fits_lets_either_draw():
    change = switch(Drawer.DIGITAL, RANGES, {ALL: 14, "flora": 8})
    assert change.agreed
    assert dict(change.note) == {"drawer": "digital", "counted": {ALL: 14, "flora": 8}, "differences": []}


@pytest.mark.parametrize(
    ("counted", "differs", "asks"),
    [
        ({ALL: 15}, BagDifference(ALL, 14, 14, 15), "left in the bag"),
        ({ALL: 13}, BagDifference(ALL, 14, 14, 13), "still in a hand"),
        ({ALL: 14, "fire": 3}, BagDifference("fire", 4, 7, 3), "still in a hand"),
        ({ALL: 14, "end": 0}, BagDifference("end", 1, 1, 0), "still in a hand"),
    ],
)
def test_difference_is_asked_about(counted: dict[str, int], differs: BagDifference, asks: str):
    change = switch(Drawer.PHYSICAL, RANGES, counted)
    assert not change.agreed
    assert change.differences == (differs,)
    question = differs.question
    assert asks in question.message.format_map(dict(question.facts))
    assert dict(change.note)["differences"] == [[differs.group, differs.least, differs.most, differs.counted]]


def test_change_of_the_drawer_needs_the_whole_bag_counted():
    with pytest.raises(ValueError, match="count of the whole bag"):
        switch(Drawer.DIGITAL, RANGES, {"flora": 8})


@pytest.mark.parametrize("counted", [{"water": 1}, {ALL: -1}])
def test_count_that_means_nothing_is_refused(counted: dict[str, int]):
    with pytest.raises(ValueError, match="count"):
        compare(RANGES, counted)


def test_counts_stay_right_however_hand_and_digital_draws_alternate():
    # every digital urn is compared with the rules' supply after all draws before it, made by hand or not
    physical = digital = 0
    for seed in range(30):
        report = play_urn(seed, physical=0.5, undo=0.1, cuts=0.05).verify(UrnRules())
        physical += report.physical
        digital += report.draws
        assert report.proved == report.draws
    assert physical > 100
    assert digital > 100
