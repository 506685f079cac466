"""What the learnt colours show of their pieces, and the names of others by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import PieceLook, edges_of, faces_of, has_smooth_kind, light_of, rings_of
from vision.count.appearance.prints import print_chances, without_print
from vision.count.naming.bodies import Zone, bodies_of, body_zone
from vision.count.naming.metal import of_one_metal
from vision.count.naming.names import Names, closest, is_coated, may_be_metal, name_pieces
from vision.count.naming.sizes import size_chances
from vision.count.table.ground import Ground
from vision.count.teaching.colours import PieceColour, every_look
from vision.srgb import linear_to_lab

PRINTED = 1.2  # so much farther apart are the colours of the rings when all pieces bear the same print
SHADED = 0.8  # of its Lab colour that a piece shows in the soft shadow of another: six tenths of its light


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """The learnt `colours` with all `looks` that taught them. `zone`: the rings in which these pieces show their
    bodies, None where they bear no print; `metal`: whether they may be coins."""

    colours: Sequence[PieceColour]
    looks: list[PieceLook]
    zone: Zone | None
    metal: bool

    @classmethod
    def by(cls, colours: Sequence[PieceColour]) -> Taught:
        """What was taught by the pieces of these colours."""
        looks = every_look(colours)
        owners = np.array([k for k, colour in enumerate(colours) for _ in colour.pieces()])
        return cls(colours, looks, body_zone(looks, owners), _may_be_metal(looks))

    @property
    def by_pieces(self) -> bool:
        """Whether pieces taught all colours."""
        return all(colour.looks for colour in self.colours)

    @property
    def mostly_rimmed(self) -> bool:
        """Whether some piece that taught shows its rim, of most colours."""
        return 2 * sum(any(look.support > 0 for look in colour.looks) for colour in self.colours) > len(self.colours)

    def lab(self, gains: NDArray[np.floating] | float = 1.0) -> NDArray[np.float32]:
        """(K, 3) Lab of the colours, as they were taught or in a light of these gains, linear BGR (3,)."""
        return linear_to_lab(self._body_light() * gains).astype(np.float32)

    def hidden(self, ground: Ground, names: Names) -> list[str]:
        """The colours that could lie on the table and not be seen, in the light that pieces were named in."""
        shades = (1.0,) if self.metal else (1.0, SHADED)
        named = zip(self.colours, self.lab(names.gains).astype(np.float64), strict=True)
        return [colour.name for colour, lab in named if any(ground.hides(shade * lab) for shade in shades)]

    def _body_light(self) -> NDArray[np.float64]:
        """(K, 3) linear BGR of the colours, of printed pieces that of their bodies, as they were taught."""
        if self.zone is None:
            return np.array([c.linear_bgr for c in self.colours])
        return np.array([np.median(bodies_of(list(c.pieces()), self.zone)[:, 0], axis=0) for c in self.colours])

    def names(
        self,
        looks: list[PieceLook],
        outlines: Iterable[NDArray[np.float64]] | None = None,
        whole: NDArray[np.bool_] | None = None,
    ) -> Names:
        """Names for pieces of these looks, round ones with their outlines (N, 2) px; `whole` (N,): those that are
        pieces by their shape, whatever their colour.

        Of printed pieces the bodies are compared, in their `zone`, of coated ones without print the faces. Rings are
        compared when every colour was taught by pieces, most of them with a rim; sizes when all of them lay in one
        photograph.
        """
        taught = [list(c.pieces()) for c in self.colours]
        ringed = outlines is not None and self.by_pieces and self.mostly_rimmed
        if ringed:
            taught = [[look for look in own if look.support > 0] or own for own in taught]
        owners = np.array([k for k, own in enumerate(taught) for _ in own])
        every = [look for own in taught for look in own]
        known, seen = light_of(every), light_of(looks)
        coated, metal = is_coated(known), _may_be_metal(every) and not has_smooth_kind(taught)
        edges = edges_of(every)
        bodied = outlines is not None and (is_coated(edges) or not metal)  # a glint beside a coin's rim is no body
        if self.zone is not None:
            known, seen = bodies_of(every, self.zone), bodies_of(looks, self.zone)
        elif bodied and PRINTED * closest(known, owners) < closest(edges, owners):
            known, seen = edges, edges_of(looks)  # label and spots of every colour are alike
        elif coated:
            known, seen = faces_of(every), faces_of(looks)  # shade and what is mirrored at the rim tell no colour
        one = len({look.photograph for look in every}) == 1
        if outlines is None:
            return name_pieces(known, owners, seen, ringed, one)
        radii = np.array([np.sqrt(cv2.contourArea(o.astype(np.float32)) / np.pi) for o in outlines])
        middles = np.array([o.mean(axis=0) for o in outlines]).reshape(-1, 2)
        sizes = size_chances(np.array([look.radius for look in every]), radii, middles) if one and ringed else None
        places = middles / max(1.0, float(np.median(radii)) if len(radii) else 1.0)
        prints = None
        if metal:  # a lamp in sugar has sharper edges than any print, and all pieces mirror it
            known = of_one_metal(known, owners) if one else known
            prints = print_chances([look.unrolled for look in every], owners, [look.unrolled for look in looks])
        if prints is not None:
            sizes = prints[None] if sizes is None else sizes + prints
        given = (known, owners, seen, ringed, one, sizes, places, coated)
        names = name_pieces(*given, printed=self.zone is not None, metal=metal)
        # a lamp in one plain piece is a veil as well, but ink on the table is no piece under a veil
        if coated and self.zone is None:
            names = names.where_known(name_pieces(*given, printed=True), whole)
        if prints is None:
            return names
        return replace(names, unprinted=without_print(prints, owners, names.p.argmax(axis=1)))


def _may_be_metal(looks: list[PieceLook]) -> bool:
    return may_be_metal(light_of(looks), rings_of(looks))
