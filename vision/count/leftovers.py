"""Corrects what the rims say: pieces whose rim was not seen, and round rims that are only print or a stain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import DARK, PieceLook, look_in_outline
from vision.count.cut_off import cut_off
from vision.count.discs.whole import without_notches
from vision.count.naming.bodies import Zone, bodies_of
from vision.count.pixels import pixels_at, window_around
from vision.count.table.ground import LEVEL, Ground, to_lab
from vision.srgb import linear_to_lab

AROUND = 1.05  # of a counted piece's size: its rim
CORE = 0.7  # of a piece's radius: what spots at its edge leave of it
DEEP = 0.68  # of a piece's radius that fits into what is left of one: touching pieces hide some of it, shadows are thin
HALF_HIDDEN = 0.5  # of it that is left of a piece half under another: such a one is told
COVERED = 0.85  # of a piece's outline that lies on what is no table
# Of a ring around a piece that has another colour: two unknown neighbours of its own colour leave three quarters of it,
# the corner of a playing card half.
RING, OTHER_LAB, OTHER_PART = (1.06, 1.22), 12.0, 0.6
# Of that ring in one run: a touching piece of its size covers a ninth of it, two beside each other a quarter, the
# corner of a card half. Rings are sampled in steps of their breadth.
TOUCHING, RING_STEPS = 0.3, 5
MOSTLY = 0.5  # of a place that has a colour: the inside of a printed ring has it not
NEARER_LAB = 4.0  # than the table to a colour: twice the noise that a ground has at least
ON_LARGER = 0.5  # of a place that belongs to a larger thing of the same colour
DONE = 0.3  # of a place that was looked at, which is not looked at again
PRINT = 0.7  # of a piece's radius: the breadth of a pip
SIZES_APART, STEEP = 0.1, 0.25  # natural logs: of single pieces, and from a picture's middle to its edge by perspective
OUTER = slice(4, 8)  # rings of a piece that cover most of it, without its rim: one of them shows the body
STRAY, CENTRINGS = 0.4, 4  # of a radius, that the deepest place of a piece may lie beside its middle; steps to find it
SHADES = (0.6, 1.2)  # of a learnt colour's lightness, in one picture
SIMILAR_LAB = 10.0  # from a colour in the picture's light: what is farther is another thing
SOFT_PX = 1.0
# Of a rim's radius: what it encloses, and rings around it and its ink.
WITHIN, BEYOND = 0.6, (1.15, 1.4, 1.7, 2.0)
SAME_LAB = 8.0  # between the two when the rim is but a line on one ground
INK = 4.5  # times as dark or as bright as what it encloses: shade leaves the rim of a dome more of its light


@dataclass(frozen=True, slots=True, eq=False)
class Leftovers:
    """`pieces`: outlines (N, 2) px of what is as large as a piece and ends around it; `larger`: how many things of a
    piece's colour are larger: a piece of that colour on them is not seen; `strange`: how many are as large as a piece
    and of no piece's colour; `cut`: how many of a piece's colour and breadth the picture's edge cuts off.
    """

    pieces: tuple[NDArray[np.float64], ...]
    larger: int
    strange: int = 0
    cut: int = 0


def rimless_pieces(
    picture: NDArray[np.uint8],
    ground: Ground,
    outlines: list[NDArray[np.float64]],
    colours_lab: NDArray[np.float32],
    printed: bool = False,
) -> Leftovers:
    """What has a piece's Lab colour (K, 3) in a picture (…, …, 3) uint8 BGR, outside the outlines (N, 2) of the pieces
    that were found, whose shape it is given. Outlines are in px of the ground (H, W), of which the picture may be a
    larger copy. `printed`: what lies there may be cut by its own spots, so that neither size nor middle of it is seen.
    """
    if not outlines:
        return Leftovers((), 0)
    shape, radius = usual_shape(outlines)
    sizes = _sizes_by_place(outlines)
    height, width = ground.difference.shape
    whole_depth = np.pad(_depths(shape, sizes, (height, width)), 1, mode="edge")
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    lab = cv2.GaussianBlur(to_lab(small), (0, 0), SOFT_PX)
    whole = without_notches(_lying(lab, ground, colours_lab), CORE * radius)
    left = np.pad(whole, 1).astype(np.uint8)
    known = np.zeros(whole.shape, np.uint8)
    for outline in outlines:
        fill(left, grown(outline, AROUND) + 1, 0)
        fill(known, grown(outline, AROUND), 1)
    ends = [lab[rows, cols].reshape(-1, 3) for rows, cols in cut_off(left[1:-1, 1:-1].copy(), radius)]
    cut = sum(bool(np.median(off_colours(end, colours_lab)) < SIMILAR_LAB) for end in ends)
    found: list[NDArray[np.float64]] = []
    larger: list[tuple[NDArray[np.bool_], NDArray[np.float32]]] = []
    strange = 0
    while True:
        depth = cv2.distanceTransform(left, cv2.DIST_L2, 5)
        part = depth / whole_depth
        deepest = np.unravel_index(part.argmax(), depth.shape)
        if part[deepest] < DEEP:
            parts = _parts(part[1:-1, 1:-1], lab, colours_lab)
            return Leftovers(tuple(found), len(larger), strange + parts, cut)
        middle = np.array(deepest[::-1], float) - 1
        size = float(np.exp(sizes @ [1.0, *middle])) / radius if printed else 1.0
        outline = shape * size + middle
        if _part(whole, outline) < COVERED:  # farther away pieces are smaller
            outline = shape * min(1.0, float(depth[deepest]) / radius) + middle
        if printed:
            outline = _centred(outline, left[1:-1, 1:-1])
        before = left[1:-1, 1:-1] > 0
        fill(left, outline + 1, 0)
        colour = _colour_of(outline, picture, whole, colours_lab, printed)
        if colour is None:
            continue
        near = np.linalg.norm(np.array([of for _, of in larger]).reshape(-1, 3) - colour, axis=1) < OTHER_LAB
        if any(_part(larger[k][0], outline) > ON_LARGER for k in np.flatnonzero(near)):
            continue
        # what is closed at a place depends on what lies no farther from it than a pip is broad
        at, low = window_around(grown(outline, RING[1]), math.ceil(PRINT * radius) + 2, whole.shape)
        bare = _alike(whole[at], lab[at], colour)
        alike, hidden = _with_print(bare, radius), known[at] > 0
        own_colour = off_colours(colour[None], colours_lab)[0] < SIMILAR_LAB
        if _ends(outline - low, alike, hidden) or is_touched(outline - low, bare, alike, hidden):
            if own_colour:
                found.append(outline)
                fill(known, outline, 1)
            strange += not own_colour
        elif own_colour:
            own = _joined(_with_print(_alike(whole, lab, colour), radius), outline)
            larger.append((own, colour))
            # chips on a card lose the spots that have its colour
            left[1:-1, 1:-1] = before & without_notches(before & ~own, CORE * radius)
            fill(left, grown(outline, DONE) + 1, 0)


def _lying(lab: NDArray[np.float32], ground: Ground, colours_lab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(H, W) what is no table: of dark places those nearer to a learnt colour than to shaded table."""
    lying = ground.difference > LEVEL
    dark = lying & ground.shadow
    own, table = lab[dark], ground.lab[dark]
    shaded = np.linalg.norm(own - _shade_of(own, table) * table, axis=1)
    lying[dark] = off_colours(own, colours_lab) < shaded
    return lying


def _shade_of(lab: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, 1) the share of a Lab colour that is nearest to (N, 3) others: shade draws a colour towards black."""
    share = (lab * colour).sum(axis=-1) / np.maximum((colour * colour).sum(axis=-1), 1.0)
    return np.asarray(np.clip(share, *SHADES)[:, None], np.float32)


def off_colours(lab: NDArray[np.float32], colours_lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N,) how far Lab colours (N, 3) are from the nearest shade of any of (K, 3)."""
    gaps = [np.linalg.norm(lab - _shade_of(lab, colour) * colour, axis=1) for colour in colours_lab]
    return np.asarray(np.min(gaps, axis=0), np.float32)


def usual_shape(outlines: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], float]:
    """The outline (N, 2) of the usual piece around its middle, and its radius."""
    radii = [float(np.sqrt(cv2.contourArea(outline.astype(np.float32)) / np.pi)) for outline in outlines]
    usual = int(np.argsort(radii)[len(radii) // 2])
    return outlines[usual] - outlines[usual].mean(axis=0), radii[usual]


def _sizes_by_place(outlines: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(3,) natural log of the usual radius in the picture's corner, and its change a px to the right and downwards: a
    camera sees near pieces larger. Few pieces, or of many sizes, say little of that.
    """
    logs = 0.5 * np.log([cv2.contourArea(outline.astype(np.float32)) / np.pi for outline in outlines])
    xy = np.array([outline.mean(axis=0) for outline in outlines])
    away = xy - xy.mean(axis=0)
    reach = max(float(np.abs(away).max()), 1.0)
    off = logs - np.median(logs)
    slope = np.linalg.solve(away.T @ away + np.eye(2) * (reach * SIZES_APART / STEEP) ** 2, away.T @ off)
    return np.array([np.median(logs) - xy.mean(axis=0) @ slope, *slope])


def _depths(shape: NDArray[np.float64], sizes: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """(H, W) the radius in px of the largest circle within a usual piece at each place: within an oval one it is less
    than its half breadth, and far pieces are smaller.
    """
    across = np.linalg.norm(shape, axis=1)
    radius = float(np.sqrt(cv2.contourArea(shape.astype(np.float32)) / np.pi))
    rows, cols = np.mgrid[: size[0], : size[1]]
    local = np.exp(sizes[0] + sizes[1] * cols + sizes[2] * rows)
    return np.asarray(local * min(1.0, float(across.min()) / radius))


def _parts(depth: NDArray[np.float64], lab: NDArray[np.float32], colours_lab: NDArray[np.float32]) -> int:
    """How many things that are no whole piece may be one half under another: so deep (H, W) in a learnt colour."""
    number, labels = cv2.connectedComponents((depth > HALF_HIDDEN).astype(np.uint8))
    usual = [np.median(lab[labels == k], axis=0) for k in range(1, number)]
    return sum(bool(off_colours(one[None], colours_lab)[0] < SIMILAR_LAB) for one in usual)


def grown(outline: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """An outline (N, 2) so many times as large around its middle."""
    middle = outline.mean(axis=0)
    return np.asarray(middle + share * (outline - middle))


def fill(mask: NDArray[np.uint8], outline: NDArray[np.float64], value: int) -> None:
    """Give what an outline (N, 2) px encloses of a mask (H, W) a value, in place."""
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], value)


def _part(mask: NDArray[np.bool_], outline: NDArray[np.float64]) -> float:
    """The part of the inside of an outline that a mask (H, W) covers."""
    at, low = window_around(outline, 1, mask.shape)
    inside = np.zeros(mask[at].shape, np.uint8)
    fill(inside, outline - low, 1)
    return float(mask[at][inside > 0].mean()) if inside.any() else 0.0


def _alike(whole: NDArray[np.bool_], lab: NDArray[np.float32], colour: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(H, W) what is no table, by a mask, and in a picture (H, W, 3) of about a Lab colour (3,)."""
    off = lab - colour
    return np.asarray(whole & (np.einsum("yxc,yxc->yx", off, off) < OTHER_LAB**2))


def _colour_of(
    outline: NDArray[np.float64],
    picture: NDArray[np.uint8],
    whole: NDArray[np.bool_],
    colours_lab: NDArray[np.float32],
    printed: bool,
) -> NDArray[np.float32] | None:
    """(3,) Lab of what lies within an outline, of a printed piece the one nearest to a learnt colour; None where most
    of it is table.
    """
    if _part(whole, outline) < COVERED:
        return None
    look = look_in_outline(picture, outline * (picture.shape[1] / whole.shape[1]), stamped=False)
    others = (look.ring_bgr, *look.rings[OUTER]) if printed else ()
    lab = np.asarray(linear_to_lab(np.array([look.inner_bgr, *others])), np.float32)
    return np.asarray(lab[off_colours(lab, colours_lab).argmin()])


def seen_colours(looks: list[PieceLook], zone: Zone | None) -> NDArray[np.float32]:
    """(N, 3) Lab of pieces as a picture shows them."""
    if not looks:
        return np.zeros((0, 3), np.float32)
    light = [look.inner_bgr for look in looks] if zone is None else bodies_of(looks, zone)[:, 0]
    return np.asarray(linear_to_lab(np.array(light)), np.float32)


def is_more_like(
    picture: NDArray[np.uint8],
    outline: NDArray[np.float64],
    ground: Ground,
    hidden_lab: NDArray[np.float32],
    zone: Zone | None = None,
    whole: bool = False,
) -> bool:
    """Whether what an outline (N, 2) px of a picture (…, …, 3) encloses is like one of some colours (K, 3), which can
    be taken for the table, and more so than the table (H, W) is there; of a `whole` rim however little more.
    """
    share = ground.difference.shape[1] / picture.shape[1]
    place = np.zeros(ground.difference.shape, np.uint8)
    fill(place, outline * share, 1)
    if not place.any():
        return False
    colour = seen_colours([look_in_outline(picture, outline, stamped=False)], zone)
    table = np.median(ground.lab[place > 0], axis=0)[None]
    gaps = [np.linalg.norm(lab - hidden_lab, axis=1) for lab in (colour, table)]
    return bool(gaps[0].min() < SIMILAR_LAB and (gaps[1] - gaps[0] > (0 if whole else NEARER_LAB))[gaps[0].argmin()])


def _with_print(alike: NDArray[np.bool_], radius: float) -> NDArray[np.bool_]:
    """A mask (H, W) with what is smaller than a piece within it: pips, letters, lines."""
    breadth = max(3, round(PRINT * radius) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth))
    return np.asarray(cv2.morphologyEx(alike.astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0)


def _ends(outline: NDArray[np.float64], alike: NDArray[np.bool_], known: NDArray[np.bool_]) -> bool:
    """Whether most of what surrounds an outline is unlike it, by a mask (H, W) of what is alike; known pieces (H, W),
    which hide what is beneath them, do not count.
    """
    around = np.zeros(alike.shape, np.uint8)
    for value, share in ((1, RING[1]), (0, RING[0])):
        fill(around, grown(outline, share), value)
    free = (around > 0) & ~known
    return not free.any() or bool(alike[free].mean() <= 1 - OTHER_PART)


def is_touched(
    outline: NDArray[np.float64], bare: NDArray[np.bool_], alike: NDArray[np.bool_], known: NDArray[np.bool_]
) -> bool:
    """Whether an outline that is mostly of one colour ends where pieces of that colour touch it: what is alike, without
    print (H, W), lies around it in several places, and the gaps between are so narrow that they may be print (H, W).
    """
    mostly = _part(bare, outline) > MOSTLY
    return mostly and _ends(outline, bare, known) and _longest_run(outline, alike, known) <= TOUCHING


def _longest_run(outline: NDArray[np.float64], alike: NDArray[np.bool_], known: NDArray[np.bool_]) -> float:
    """The part of a ring around an outline (N, 2) in which all is alike without a break but by known pieces."""
    at = np.stack([grown(outline, share) for share in np.linspace(*RING, RING_STEPS)])
    hiding = pixels_at(known, at)
    hides = hiding.mean(axis=0) > 0.5
    same = (pixels_at(alike, at) & ~hiding).mean(axis=0) > 0.5
    breaks = np.flatnonzero(~same & ~hides)
    if not len(breaks):
        return 1.0
    runs = np.split(np.roll(same, -breaks[0]), np.roll(~same & ~hides, -breaks[0]).nonzero()[0][1:])
    return max(int(run.nonzero()[0].max(initial=0)) for run in runs) / len(outline)


def _centred(outline: NDArray[np.float64], left: NDArray[np.uint8]) -> NDArray[np.float64]:
    """An outline moved, by less than its radius, to the middle of what it encloses of a mask (H, W): the deepest place
    of a disc whose spots are cut out lies aside.
    """
    reach = STRAY * np.sqrt(cv2.contourArea(outline.astype(np.float32)) / np.pi)
    moved = outline
    for _ in range(CENTRINGS):
        inside = np.zeros(left.shape, np.uint8)
        fill(inside, moved, 1)
        rows, cols = np.nonzero(inside & left)
        if not len(rows):
            return outline
        step = np.array([cols.mean(), rows.mean()]) - moved.mean(axis=0)
        if np.linalg.norm(moved.mean(axis=0) + step - outline.mean(axis=0)) > reach:
            break
        moved = moved + step
    return np.asarray(moved)


def _joined(alike: NDArray[np.bool_], outline: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The part of a mask (H, W) that is joined to the inside of an outline."""
    inside = np.zeros(alike.shape, np.uint8)
    fill(inside, outline, 1)
    number, labels = cv2.connectedComponents(alike.astype(np.uint8))
    own = np.zeros(number, bool)
    own[labels[(inside > 0) & alike]] = True
    own[0] = False
    return np.asarray(own[labels])


def may_be_line(look: PieceLook) -> bool:
    """Whether a rim is so unlike what it encloses that it may be a printed line: names by faces do not show it."""
    face, ring = (sum(light) + DARK for light in (look.inner_bgr, look.ring_bgr))
    return max(face, ring) > INK * min(face, ring)


def is_printed(picture: NDArray[np.uint8], outline: NDArray[np.float64]) -> bool:
    """Whether a rim in a picture (H, W, 3) uint8 BGR encloses what lies around it, as the loop of an 8 does."""
    middle = outline.mean(axis=0)
    reach = middle + BEYOND[-1] * (outline - middle)
    low = np.maximum(np.floor(reach.min(axis=0)).astype(int), 0)
    high = np.ceil(reach.max(axis=0)).astype(int) + 1
    lab = to_lab(picture[low[1] : high[1], low[0] : high[0]])
    level = np.zeros(lab.shape[:2], np.uint8)  # 1 in the outermost ring, more further in
    for depth, share in enumerate((*BEYOND[::-1], WITHIN), start=1):
        cv2.fillPoly(level, [np.round(middle + share * (outline - middle) - low).astype(np.int32)], depth)
    zones = [lab[level == depth] for depth in range(1, len(BEYOND) + 2)]
    inside, around = zones[-1], [zone for zone in zones[: len(BEYOND) - 1] if len(zone)]
    if not len(inside):
        return False
    return any(np.linalg.norm(np.median(inside, axis=0) - np.median(ring, axis=0)) < SAME_LAB for ring in around)
