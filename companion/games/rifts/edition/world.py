"""What the rulebook of Rifts of N'Norya fixes about the land and its elements, which no edition changes."""

from __future__ import annotations

from enum import Enum


class Element(Enum):
    """The elements of spells, enemies and temples. Nothing on the map is of water: it is a mage's affinity only."""

    FIRE = "fire"
    EARTH = "earth"
    AIR = "air"
    WATER = "water"


class Terrain(Enum):
    """What a space of the map is."""

    IMPERIUM = "imperium"  # the starting tile
    MOUNTAIN = "mountain"
    FOREST = "forest"
    DESERT = "desert"
    VILLAGE = "village"
    RIVER = "river"


RESOURCES: tuple[Element, ...] = (Element.FIRE, Element.EARTH, Element.AIR)
"""The elements that are counted on a scroll (N1) and that have a temple (N13), in the order of the state's counts."""

ELEMENT_OF: dict[Terrain, Element] = {  # N13
    Terrain.DESERT: Element.FIRE,
    Terrain.FOREST: Element.EARTH,
    Terrain.MOUNTAIN: Element.AIR,
}

WEAK_TO: dict[Element, Element] = {  # N30
    Element.FIRE: Element.AIR,
    Element.EARTH: Element.FIRE,
    Element.AIR: Element.EARTH,
}

AFFINITIES: dict[str, Element] = {  # N1; blue is what is left for water
    "yellow": Element.FIRE,
    "green": Element.EARTH,
    "white": Element.AIR,
    "blue": Element.WATER,
}
"""The affinity of the mage whose pieces have this colour."""


class Item(Enum):
    """What the store sells (N4)."""

    HORSE = "horse"
    BOAT = "boat"
    SCROLL = "scroll"


ITEMS: tuple[Item, ...] = tuple(Item)

RIFT_CARDS = 5  # R-N1
RIFT_HEALTH, RIFT_GOLD = 10, 5  # N31
TEMPLE_LEVELS = 3  # N40
HAND = 5  # N1, N30
WOUNDS_TO_KO = 4  # N41
MARKET_PLACES = 5  # N3
BOTTOM_CARDS = 5  # N3: the low Rift card is among so many
MOST_RESOURCES, MOST_WITH_SCROLL = 5, 10  # N4
MOVES, HORSE_MOVES = 3, 5  # N20
CLEARING_GOLD = 3  # N50
