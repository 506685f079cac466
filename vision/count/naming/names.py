"""Names pieces by learnt looks in the one unknown light of a picture, and says how probable the names are together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import DARK, features, uncertainty
from vision.count.naming.lights import BARE, RoomLights, lights_of, spreads_of
from vision.count.naming.neighbours import (
    ALIKE_BUT_RINGS,
    COATED,
    METAL,
    REDDER,
    Lights,
    lit_alike,
    log_chance,
    name_by_neighbours,
)

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Reals = NDArray[np.floating[Any]]

NEVER = (np.zeros(0), np.zeros(0))
# A lamp or window is mirrored in one flat piece and not in the next: linear light as a camera sees it.
VEILS = (np.array([0.0, 0.06, 0.2]), np.array([0.9, 0.06, 0.04]))
# A window mirrored in a piece when it taught: so much of its weakest channel may be window, in one piece of eight. Of a
# vivid colour nearly all of it is; but it is no more light than a window gives, or white would be any dark colour.
VEILED_WHEN_TAUGHT = (np.array([0.5, 0.8, 0.97]), np.array([0.05, 0.05, 0.02]))
# No metal throws back more blue or green light than red, by so much that no camera's balance explains it.
NO_METAL = 1.5
# Metals lie from steel, which throws all light back alike, to copper, which throws back 1.5 times as much red as green
# and 0.84 times as much blue: by so much of the one log as the other. Across that line little green beside red and blue
# is found: rings of 1,233 coins in lights of all colours have 0.39 of it at most, in natural logs, red, pink and purple
# sugar and plastic 0.85 and more.
TO_COPPER, MOST_ACROSS = 0.42, 0.6
# Nor is any channel of a metal so much weaker than its strongest: of 1,328 coins in lights of all colours it has 0.078
# of it at least; red, orange and yellow sugar and plastic have 0.04 to 0.065.
LEAST_CHANNEL = 0.07
UNKNOWN_AT = 6.0  # spreads from every look at which a piece is thought to have none of the colours
CONFIDENT = 0.9  # chance of a name from which it is asked whether it holds in other lights, too
TRIED_LIGHTS = 6  # the likeliest, in which pieces are named by each other: neighbouring ones give the same names
# Lights that are weighed with every scale of the sizes: so many at most, and so much less probable by colours alone.
MOST_LIGHTS, WITHOUT_SIZES = 60, 12.0
# Of metals in one photograph so many of the likeliest lights in which most pieces have each colour are weighed as well,
# and tried: fifty gold coins in one light are copper in another, and by their casts alone, as if each were lit by
# itself, the wrong light was so much likelier that the right one was not among the others.
MOST_OF_EACH, TRIED_OF_EACH = 10, 2
# So many of the pieces, at least, say first which lights are worth weighing by all: others are less likely by so many
# nats, of which each piece says ten and more where it has another colour in them.
FEW, RULED_OUT = 24, 40.0
AT_ONCE = 2**16  # numbers that fit into a processor's own memory: so many lights are weighed at once
DROPPED = 1e-4  # lights so much less probable than the best are left out


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """`p` (N, K + 1): chances of each colour for each piece, and last of none of them; `together`: that the likeliest
    names of all pieces are right at once, with the light unknown; `gains` (3,): of linear BGR, in the likeliest light;
    `unprinted`: how many show no print that was taught, beside others that do.
    """

    p: Floats
    together: float
    gains: Floats
    unprinted: int = 0

    def where_known(self, other: Names, pieces: NDArray[np.bool_] | None = None) -> Names:
        """The other names for all that has a colour by these, and for `pieces` (N,), and the smaller chance of both."""
        known = self.p[:, :-1].max(axis=1, initial=0.0) > self.p[:, -1]
        known, had = known if pieces is None else known | pieces, known
        p = np.where(known[:, None], other.p, self.p)
        named = float((1 - self.p[known & ~had, -1]).prod())  # by these themselves: what only a veil names is not sure
        return Names(p, min(self.together, other.together, named), other.gains if known.any() else self.gains)


def name_pieces(
    looks: Floats,
    colour_of: NDArray[np.int64],
    seen: Floats,
    ringed: bool,
    one_photograph: bool = True,
    sizes: Floats | None = None,
    places: Floats | None = None,
    coated: bool = False,
    printed: bool = False,
    metal: bool = False,
) -> Names:
    """Names for pieces (N, 2, 3) by looks (M, 2, 3), both linear BGR of inner part and ring; `colour_of` (M,) 0..K-1.

    The light is unknown but one for all: every light of a lattice is weighed by how well all pieces fit in it. Without
    `ringed` only the inner parts are compared. Without `one_photograph` the looks were taught in lights of their own.
    `sizes` (S, N, M): log chances of the pieces' sizes and prints as those of the looks, for each of S scales, of which
    one is that of the picture, too. `places` (N, 2) in radii of the usual piece: neighbours are lit alike. `coated`
    pieces are of plastic, lacquer or sugar: what they mirrored when they taught is white and lay on their colour; of
    metal it has the metal's colour. On `printed` ones it may lie in this picture, too: without print, ink under such a
    veil would be a dark piece. `metal`: what pieces mirrored when they taught differs more from one photograph to
    another.
    """
    colours = int(colour_of.max()) + 1
    if not len(seen):
        return Names(np.zeros((0, colours + 1)), 1.0, np.ones(3))
    used = 5 if ringed else 3
    differences = METAL if metal else COATED
    unknown = log_chance(np.array(UNKNOWN_AT**2))
    veils, veil_parts = VEILS if printed else BARE
    room = lights_of(np.asarray(looks, np.float64).tobytes(), len(looks), used, one_photograph, printed, metal)
    more = room.between
    found = features(seen)[..., :used].astype(np.float32)
    if not metal:
        room = room.take(_likely_by_few(found, room, colour_of, unknown))
    chances = _in_lights(found, room, colour_of, unknown)
    weight = room.prior + _log_of_sum(chances).sum(axis=1)
    light = np.arange(len(room.gains))
    scale = np.zeros(len(room.gains), np.int64)
    if sizes is not None:
        some = np.argsort(-weight)[:MOST_LIGHTS]
        some = some[weight[some] > weight.max() - WITHOUT_SIZES]
        if metal and one_photograph:
            some = np.unique(np.concatenate([some, _of_each(weight, chances, MOST_OF_EACH)]))
        fits = log_chance(_squared_distances(found, room.expected[some], room.spread[some]))
        fits = fits - room.narrow[some][:, None]
        which, scale = (v.ravel() for v in np.meshgrid(np.arange(len(some)), np.arange(len(sizes)), indexing="ij"))
        light = some[which]
        chances = _of_colours(fits[which] + sizes[scale].astype(np.float32), colour_of, unknown)
        weight = room.prior[light] + _log_of_sum(chances).sum(axis=1)
    tried = np.argsort(-weight)[:TRIED_LIGHTS]
    if metal and one_photograph:
        tried = np.unique(np.concatenate([tried, _of_each(weight, chances, TRIED_OF_EACH)]))
    others = np.zeros((len(tried), len(seen), len(looks))) if sizes is None else sizes[scale[tried]]
    some = light[tried]
    parts, shares = VEILED_WHEN_TAUGHT if coated or printed else NEVER
    bare = np.minimum(parts[:, None, None, None] * looks.min(axis=(1, 2))[:, None, None], VEILS[0].max())
    bare = np.minimum(bare[None], looks.min(axis=(1, 2))[:, None, None] + room.haze[some][:, None, None, None, None])
    lit = room.lit(looks, some)
    freed = (lit[:, None] - bare * room.gains[some][:, None, None, None]).reshape(len(some), -1, 2, 3)
    veiled = (lit[:, None] + veils[:, None, None, None]).reshape(len(some), -1, 2, 3)
    veiled = np.concatenate([veiled, freed], axis=1)
    shares = np.concatenate([veil_parts * (1 - shares.sum()), shares])
    others = np.tile(others, (1, 1, len(shares))) + np.repeat(np.log(shares * len(shares)), len(looks))
    own = features(veiled)[..., :used]
    wide = np.sqrt(spreads_of(veiled, metal) ** 2 + more**2)[..., :used]
    off = _squared_distances(found, own.astype(np.float32), wide.astype(np.float32))
    near = log_chance(off) - np.log(wide / differences.usual[:used]).sum(axis=-1)[:, None]
    wider = None
    if metal:
        wider = np.zeros((own.shape[1], used))
        wider[:, 0] = np.tile(REDDER * np.abs(features(looks)[:, 0]), len(shares))
    lights = Lights(own, room.prior[some], near + others, others, wider)
    noise = np.sqrt(uncertainty(seen, metal) ** 2 + more**2 / 2)[:, :used]
    alike = lit_alike(places, len(seen))
    known = (found.astype(float), noise, lights, np.tile(colour_of, len(shares)), alike, float(unknown))
    names, fit = name_by_neighbours(*known, differences)
    if not metal and (names[fit.argmax()].argmax(axis=1) == colours).any():
        names, fit = name_by_neighbours(*known, replace(differences, alike=ALIKE_BUT_RINGS))
    p = names[fit.argmax()]
    likely = weight > weight.max() + np.log(DROPPED)
    each = np.exp(chances[likely] - _log_of_sum(chances[likely])[..., None])
    held = min(_same_light(_parts(weight[likely]), each, p), _same_names(_parts(fit), names, p))
    return Names(p, held * float(p.max(axis=1).prod()), room.gains[some[fit.argmax()]])


def _of_each(weight: NDArray[np.floating], chances: NDArray[np.floating], number: int) -> list[int]:
    """For every colour so many of the likeliest lights, by their logs (L,), in which most pieces have it by their log
    chances (L, N, K + 1).
    """
    order = np.argsort(-weight)
    names = chances[order, :, :-1].argmax(axis=2)
    counts = (names[..., None] == np.arange(chances.shape[2] - 1)).sum(axis=1)
    return [int(k) for colour in range(counts.shape[1]) for k in order[counts.argmax(axis=1) == colour][:number]]


def _parts(logs: NDArray[np.floating]) -> Floats:
    """(L,) chances by their logs."""
    chances = np.exp(np.asarray(logs, float) - logs.max())
    return np.asarray(chances / chances.sum())


def _same_names(weight: Floats, names: Floats, p: Floats) -> float:
    """The chance of lights (L,) whose names (L, N, K + 1) are those of `p` (N, K + 1)."""
    return float(weight @ (names.argmax(axis=2) == p.argmax(axis=1)).all(axis=1))


def _likely_by_few(
    found: Singles, room: RoomLights, colour_of: NDArray[np.int64], unknown: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """(L,) which lights are worth weighing by all pieces (N, F): where they are many, those that some of them, from all
    over the picture, do not rule out.
    """
    if len(found) < 2 * FEW:
        return np.ones(len(room.prior), bool)
    chances = _in_lights(found[:: len(found) // FEW], room, colour_of, unknown)
    weight = room.prior + _log_of_sum(chances).sum(axis=1)
    return np.asarray(weight >= min(weight.max() - RULED_OUT, np.sort(weight)[-MOST_LIGHTS]))


def _in_lights(
    found: Singles, room: RoomLights, colour_of: NDArray[np.int64], unknown: NDArray[np.floating]
) -> Singles:
    """(L, N, K + 1) as `_of_colours` gives it, for pieces (N, F) in each light."""
    step = max(1, AT_ONCE // (len(found) * len(colour_of)))
    parts = []
    for first in range(0, len(room.prior), step):
        some = slice(first, first + step)
        fits = log_chance(_squared_distances(found, room.expected[some], room.spread[some]))
        parts.append(_of_colours(fits - room.narrow[some][:, None], colour_of, unknown))
    return np.concatenate(parts)


def _of_colours(fits: Singles, colour_of: NDArray[np.int64], unknown: NDArray[np.floating]) -> Singles:
    """(L, N, K + 1) log chances of colours by those of their looks (L, N, M), and last of none of them."""
    colours = int(colour_of.max()) + 1
    chances = np.full((*fits.shape[:2], colours + 1), unknown, np.float32)
    for colour in range(colours):
        chances[..., colour] = _mean_of_logs(fits[..., colour_of == colour])
    return chances


def is_coated(looks: Floats) -> bool:
    """Whether some of the looks (M, 2, 3) have a colour that no metal has: pieces of plastic, lacquer or sugar."""
    return bool(_is_no_metal(looks.mean(axis=1)).any())


def may_be_metal(looks: Floats, rings: Floats) -> bool:
    """Whether all looks (M, 2, 3) have colours that metals have, and every ring (R, 3) within their pieces: the body of
    a chip is as vivid as its label is pale.
    """
    light = looks.mean(axis=1)
    bright = bool((light.min(axis=1) > LEAST_CHANNEL * light.max(axis=1)).all())
    return bright and not bool(_is_no_metal(np.concatenate([light, rings])).any())


def _is_no_metal(light: Floats) -> NDArray[np.bool_]:
    """(N,) which colours (N, 3) linear BGR no metal has."""
    blue, green, red = light.T
    cast_blue, cast_red = (np.log((part + DARK) / (green + DARK)) for part in (blue, red))
    across = cast_blue + TO_COPPER * cast_red
    return np.asarray((np.maximum(blue, green) > NO_METAL * red) | (across > MOST_ACROSS))


def closest(looks: Floats, colour_of: NDArray[np.int64]) -> float:
    """How far the two nearest looks (M, 2, 3) of different colours (M,) are apart, in spreads, in one light."""
    places = features(looks)[..., :3] / spreads_of(looks)[..., :3]
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    return float(gaps[colour_of[:, None] != colour_of[None]].min(initial=np.inf))


def _same_light(weight: Floats, each: NDArray[np.floating], first: Floats) -> float:
    """The chance of lights (L,) in which the confident pieces keep their names: a picture of one colour can often be
    read as another colour in another light.
    """
    name = first.argmax(axis=1)
    sure = first.max(axis=1) > CONFIDENT
    kept = np.ones(len(weight))
    for colour in np.unique(name[sure]):
        kept = np.minimum(kept, each[:, sure & (name == colour), colour].mean(axis=1))
    return float(weight @ kept)


def _squared_distances(found: Singles, own: Singles, spread: Reals) -> Singles:
    """(L, N, M) squared distances of (N, F) from (L, M, F), in spreads (L, M, F)."""
    sure = 1 / spread**2
    weights = np.concatenate([sure, -2 * own * sure], axis=2).transpose(2, 0, 1).reshape(2 * found.shape[1], -1)
    parts = np.concatenate([found**2, found], axis=1) @ np.asarray(weights, np.float32)
    squares = parts.reshape(len(found), len(own), -1).transpose(1, 0, 2) + (own**2 * sure).sum(axis=2)[:, None]
    return np.asarray(np.maximum(squares, 0).astype(np.float32))


def _mean_of_logs(logs: NDArray[np.floating]) -> NDArray[np.floating]:
    """The log of the mean over the last axis."""
    return np.asarray(_log_of_sum(logs) - np.float32(np.log(logs.shape[-1])))


def _log_of_sum(logs: NDArray[np.floating]) -> NDArray[np.floating]:
    """The log of the sum over the last axis; `np.logaddexp.reduce` says the same in ten times the time."""
    parts = np.ascontiguousarray(np.moveaxis(logs, -1, 0))  # numpy is slow along a short last axis
    top = parts.max(axis=0)
    parts = np.exp(parts - top)
    return np.asarray(top + np.log(parts.sum(axis=0)))
