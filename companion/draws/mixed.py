"""Mixed use: draws by hand and by the digital bag in one game, with one supply that both draw from.

Both kinds of draw are the same event of the rules, so the rules' supply is right whoever drew. What can go wrong is the
real bag: a tile drawn digitally that was not taken out of it, or one put back into the wrong bag. Hence a count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from companion.draws.words import DrawFinding

ALL = "all"
"""The key of the whole bag in a count; the other keys are groups (themes) that the game names."""


class Drawer(Enum):
    """Who draws from now on."""

    PHYSICAL = "physical"
    DIGITAL = "digital"


@dataclass(frozen=True, slots=True)
class BagDifference:
    """A group whose count in the real bag is not what the rules' supply allows: between `least` and `most`."""

    group: str
    least: int
    most: int
    counted: int

    @property
    def question(self) -> DrawFinding:
        """What the people at the table are asked."""
        facts = (("group", self.group), ("least", self.least), ("most", self.most), ("counted", self.counted))
        if self.counted > self.most:
            return DrawFinding(
                "The bag holds {counted} ({group}), the game allows {most} at most. Was a tile that was drawn "
                "digitally left in the bag, or a removed one put back?",
                facts,
            )
        return DrawFinding(
            "The bag holds {counted} ({group}), the game needs {least} at least. Is a tile still in a hand, under a "
            "board or in the box?",
            facts,
        )


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of the drawer: agreed when nothing differs, else the questions come first.

    `note` is the data of the record's note about the count, differences included.
    """

    to: Drawer
    differences: tuple[BagDifference, ...]
    note: tuple[tuple[str, Any], ...]

    @property
    def agreed(self) -> bool:
        """Whether the real bag fits the game, so that either may draw."""
        return not self.differences


def supply_ranges(supply: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """What may be in the bag by the `supply` of a rules' view: its `count`, and per theme how many are `known` to be
    in it and how many more are `possible`. A tile that is possible is in the bag or was removed unseen."""
    count = int(supply["count"])
    themes: Mapping[str, Mapping[str, int]] = supply.get("themes", {})
    most_of = {theme: entry["known"] + entry["possible"] for theme, entry in themes.items()}
    ranges = {ALL: (count, count)}
    for theme, entry in themes.items():
        others = sum(most for other, most in most_of.items() if other != theme)
        ranges[theme] = (max(entry["known"], count - others), min(most_of[theme], count))
    return ranges


def compare(supply: Mapping[str, tuple[int, int]], counted: Mapping[str, int]) -> tuple[BagDifference, ...]:
    """Where a count of the real bag leaves what the rules allow.

    `supply`: group -> (least, most) that may be in the bag, `ALL` for the whole bag; the two differ while removed
    tiles are unknown. `counted`: the groups that were counted. Raises ValueError for a group the supply does not
    name and for a negative count.
    """
    differences = []
    for group, count in counted.items():
        if group not in supply:
            raise ValueError(f"expected one of {', '.join(sorted(supply))}, got a count of {group!r}")
        if count < 0:
            raise ValueError(f"a count of {group} is 0 or more, got {count}")
        least, most = supply[group]
        if not least <= count <= most:
            differences.append(BagDifference(group, least, most, count))
    return tuple(differences)


def switch(to: Drawer, supply: Mapping[str, tuple[int, int]], counted: Mapping[str, int]) -> Switch:
    """Change who draws, after a count of the real bag. Raises ValueError when the whole bag was not counted."""
    if ALL not in counted:
        raise ValueError(f"a change to {to.value} draws needs a count of the whole bag")
    differences = compare(supply, counted)
    note: tuple[tuple[str, Any], ...] = (
        ("drawer", to.value),
        ("counted", dict(counted)),
        ("differences", [[d.group, d.least, d.most, d.counted] for d in differences]),
    )
    return Switch(to, differences, note)
