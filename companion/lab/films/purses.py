"""The players' money in films: coins that are laid into purses side by side, and taken from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Coin, SlotOutline
from companion.core.types import Slot
from companion.lab.render.pieces import Slab, rectangle, regular

Floats = NDArray[np.float64]

LOOKS = {1: (186, 190, 192), 5: (64, 158, 206)}  # BGR: a grey and a golden coin of the sample edition
PRINT = (60, 66, 74)
APART_MM = 1.0  # fingers leave about so much between coins, seldom less
TRIES = 200
SIDES = 40
PICTURE_PX = 120


@dataclass
class Purses:
    """What lies in each purse: (value, middle (2,) mm) of every coin; what lies there stays until it is taken."""

    outlines: Sequence[SlotOutline]
    coins: Sequence[Coin]
    thickness_mm: float
    rng: np.random.Generator
    lying: dict[Slot, list[tuple[int, Floats]]] = field(default_factory=dict)

    def arrange(self, money: Mapping[Slot, int]) -> None:
        """Pay and take until each purse holds what `money` says."""
        for outline in self.outlines:
            here = self.lying.setdefault(outline.slot, [])
            wanted = money.get(outline.slot, 0)
            have = sum(value for value, _ in here)
            if wanted < have:
                self._pay(here, have - wanted)
                have = sum(value for value, _ in here)
            for value in _change(wanted - have, self.coins):
                here.append((value, self._free(outline, value, here)))

    def _pay(self, here: list[tuple[int, Floats]], price: int) -> None:
        """Take coins of at least `price`, the smallest number of the largest that do not exceed it, then one that does:
        the bank gives change."""
        for value in sorted({value for value, _ in here}, reverse=True):
            while price >= value and any(v == value for v, _ in here):
                here.pop(next(k for k, (v, _) in enumerate(here) if v == value))
                price -= value
        if price > 0:
            here.pop(min(range(len(here)), key=lambda k: here[k][0]))

    def _free(self, outline: SlotOutline, value: int, here: Sequence[tuple[int, Floats]]) -> Floats:
        """Room for a coin, clear of the others; where there is none, the place that is farthest from them."""
        width = {coin.value: coin.width_mm for coin in self.coins}
        low, high = np.array(outline.corners_mm)[[0, 2]]
        inset = width[value] / 2
        spots = self.rng.uniform(low + inset, high - inset, (TRIES, 2))
        reach = [(xy, (width[value] + width[other]) / 2) for other, xy in here]
        clear = [min((float(np.linalg.norm(spot - xy)) - r for xy, r in reach), default=np.inf) for spot in spots]
        free = [spot for spot, room in zip(spots, clear, strict=True) if room >= APART_MM]
        return np.asarray(free[0] if free else spots[int(np.argmax(clear))])

    def slabs(self) -> list[Slab]:
        """The coins as the painter draws them."""
        width = {coin.value: coin.width_mm for coin in self.coins}
        out = []
        for here in self.lying.values():
            for value, xy in here:
                corners = rectangle(width[value], width[value], xy)
                outline = regular(SIDES, width[value] / 2, xy)
                out.append(
                    Slab(outline, 0.0, self.thickness_mm, picture(value), LOOKS[value], corners, layer=2)
                )
        return out


def _change(pounds: int, coins: Sequence[Coin]) -> list[int]:
    """The fewest coins that come to so much."""
    out: list[int] = []
    for value in sorted((coin.value for coin in coins), reverse=True):
        out += [value] * ((pounds - sum(out)) // value)
    return out


def picture(value: int) -> NDArray[np.uint8]:
    """A coin's face (PICTURE_PX, PICTURE_PX, 3) BGR: a rim and its value."""
    face = np.full((PICTURE_PX, PICTURE_PX, 3), LOOKS[value], np.uint8)
    middle = (PICTURE_PX // 2, PICTURE_PX // 2)
    cv2.circle(face, middle, round(0.42 * PICTURE_PX), PRINT, 4, cv2.LINE_AA)
    (wide, high), _ = cv2.getTextSize(str(value), cv2.FONT_HERSHEY_SIMPLEX, 2.0, 6)
    at = (middle[0] - wide // 2, middle[1] + high // 2)
    cv2.putText(face, str(value), at, cv2.FONT_HERSHEY_SIMPLEX, 2.0, PRINT, 6, cv2.LINE_AA)
    return face
