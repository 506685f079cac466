"""The playing area seen from straight above at the height of the faces, beside what the faces alone would look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.broad_light import BLOCK_PX, BroadLight, broad_light
from vision.appearance.face_fit import blur_level, fit_blur, fit_faces
from vision.appearance.picture_light import BLACK, SATURATED, PictureLight, fit_light
from vision.appearance.placed_face import PX_PER_MM, PlacedFace, SeenTable, draw
from vision.appearance.sun_and_shade import edge_slack, in_the_sun, raised_into_the_sun, where_shaded, with_shade
from vision.median import median

# Standard deviation, in px, of where print lies on the canvas: alignment to 0.2 mm. Times the contrast of a pixel's
# neighbourhood it is the slack in grey levels.
MISPLACED = 0.3

# The slack of every steepness of print, grey levels a px and its neighbours.
SLACK = np.float32(MISPLACED) * np.arange(256, dtype=np.float32)

# Spots of known faces that the light is fitted to: they fix its eight numbers well and cost a few ms.
LIGHT_SAMPLES = 1200

# Those of the light that faces are moved in to where they fit, before it is fitted to them as they lie.
ROUGH_SAMPLES = 400

# Spots that the brightness of one face is told by.
LEVEL_SAMPLES = 150

# Spots that are not cut off by the camera, of which a face's brightness takes that many.
LEAST_SPOTS = 16

# Light may differ by so much from face to face beyond its slope over the table; more is a hand or another face.
UNEVEN = 0.15

# What faces look like is known so far around them at least: as far as print is blurred where pieces are told from it.
AROUND_FACES_MM = 20.0

# Faces that the blur of a picture is told by.
BLUR_FACES = 6

# Rounds in which it is told where the sun falls on faces: where they lie is told better once it falls on all of them.
RELIT = 2


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the table: its top left corner (mm, at the height of the faces) and size in canvas px."""

    left_mm: float
    top_mm: float
    width_px: int
    height_px: int

    @classmethod
    def around(cls, corners_mm: np.ndarray, margin_mm: float) -> Window:
        """The window that holds (N, 2) mm points with a margin on every side."""
        low, high = corners_mm.min(0) - margin_mm, corners_mm.max(0) + margin_mm
        size = np.ceil((high - low) * PX_PER_MM).astype(int)
        return cls(float(low[0]), float(low[1]), int(size[0]), int(size[1]))

    @property
    def corners_mm(self) -> np.ndarray:
        """(4, 2) float64 table mm, clockwise from top left."""
        right, bottom = self.left_mm + self.width_px / PX_PER_MM, self.top_mm + self.height_px / PX_PER_MM
        left, top = self.left_mm, self.top_mm
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])

    def to_px(self, xy_mm: np.ndarray) -> np.ndarray:
        """(..., 2) table mm -> (..., 2) canvas px (pixel centres at whole numbers)."""
        return (np.asarray(xy_mm, float) - (self.left_mm, self.top_mm)) * PX_PER_MM - 0.5

    def to_mm(self, xy_px: np.ndarray) -> np.ndarray:
        """(..., 2) canvas px -> (..., 2) table mm."""
        return (np.asarray(xy_px, float) + 0.5) / PX_PER_MM + (self.left_mm, self.top_mm)

    def box(self, place_mm: np.ndarray, around_mm: float) -> tuple[slice, slice]:
        """Rows and columns of the canvas within `around_mm` of a place (N, 2) mm, as far as the canvas reaches."""
        return self.boxes([place_mm], around_mm)[0]

    def boxes(self, places_mm: Sequence[np.ndarray], around_mm: float) -> list[tuple[slice, slice]]:
        """As `box`, of many places with as many points each; together they take a tenth of the time."""
        if not len(places_mm):
            return []
        return [
            (slice(y0, y1), slice(x0, x1)) for x0, y0, x1, y1 in self.bounds(np.array(places_mm), around_mm).tolist()
        ]

    def bounds(self, places_mm: np.ndarray, around_mm: float) -> np.ndarray:
        """(N, 4) int: the first column and row of the `box` of places (N, P, 2) mm, and those after its last."""
        px, reach = self.to_px(places_mm), around_mm * PX_PER_MM
        low = np.maximum(np.floor(px.min(1) - reach).astype(int), 0)
        high = np.minimum(np.ceil(px.max(1) + reach).astype(int) + 1, (self.width_px, self.height_px))
        return np.concatenate([low, high], axis=1)

    def part(self, box: tuple[slice, slice]) -> Window:
        """The window that shows those rows and columns of this one."""
        rows, columns = box
        left, top = self.left_mm + columns.start / PX_PER_MM, self.top_mm + rows.start / PX_PER_MM
        return Window(left, top, columns.stop - columns.start, rows.stop - rows.start)

    def touches(self, place_mm: np.ndarray) -> bool:
        """Whether any of a place (N, 2) mm may lie in it, by the rectangle around the place."""
        px = self.to_px(place_mm)
        return bool((px.max(0) > 0).all() and (px.min(0) < (self.width_px, self.height_px)).all())

    def mask(self, places_mm: Sequence[np.ndarray], grow_mm: float) -> np.ndarray:
        """(H, W) bool: the pixels within any of the convex places (N, 2) mm, grown on all sides."""
        inside = np.zeros((self.height_px, self.width_px), np.uint8)
        for corners in places_mm:
            cv2.fillConvexPoly(inside, np.round(self.to_px(corners)).astype(np.int32), 1)
        reach = 2 * round(grow_mm * PX_PER_MM) + 1
        grown = inside if reach == 1 else cv2.dilate(inside, np.ones((reach, reach), np.uint8))
        return np.asarray(grown > 0)

    def axes_mm(self) -> tuple[np.ndarray, np.ndarray]:
        """(W,) and (H,) float32: table mm of the canvas' columns and rows."""
        x = (np.arange(self.width_px, dtype=np.float32) + 0.5) / PX_PER_MM + self.left_mm
        return x, (np.arange(self.height_px, dtype=np.float32) + 0.5) / PX_PER_MM + self.top_mm


@dataclass(frozen=True, slots=True)
class Canvas:
    """What is seen and what the faces alone would look like in this light.

    `seen`, `bare`, `slack`: (H, W, 3) float32 BGR; `slack` is how far, in grey levels, the print near an edge may be
    off because the face is not aligned to better than part of a pixel and the camera's blur is not known.
    `face_levels`: brightness of each face against the light of the whole picture.
    `faces`: the faces where they fit best.
    `label`: (H, W) int16, index of the face a pixel lies on, -1 between faces.
    `broad`: light that falls unevenly on what is wider than a piece (a person's shadow, a pane of sun); `bare` is lit
    so already. None: even light.
    `otherwise`: (H, W, 3) float32, `seen` if the sun falls on what is raised over shaded faces near an edge of light.
    None: without such an edge.
    """

    window: Window
    seen: np.ndarray
    bare: np.ndarray
    slack: np.ndarray
    label: np.ndarray
    light: PictureLight
    face_levels: tuple[float, ...]
    faces: tuple[PlacedFace, ...] = ()
    broad: BroadLight | None = None
    otherwise: np.ndarray | None = None

    @classmethod
    def without_faces(cls, seen: np.ndarray, window: Window, light: PictureLight) -> Canvas:
        """The canvas of `seen` (H, W, 3) uint8 on which no face was recognised, in a light known from elsewhere."""
        empty = np.zeros(seen.shape, np.float32)
        label = np.full(seen.shape[:2], -1, np.int16)
        return cls(window, seen.astype(np.float32), empty, empty.copy(), label, light, ())

    @property
    def noise(self) -> float:
        """Grey levels: that of the light's fit, less what was not noise but uneven light."""
        return self.light.noise if self.broad is None else min(self.light.noise, self.broad.noise)

    def part(self, box: tuple[slice, slice]) -> Canvas:
        """Those rows and columns of the canvas. The faces keep their numbers."""
        return replace(
            self, window=self.window.part(box),
            seen=self.seen[box], bare=self.bare[box], slack=self.slack[box], label=self.label[box],
            broad=None if self.broad is None else self.broad.part(box),
            otherwise=None if self.otherwise is None else self.otherwise[box],
        )  # fmt: skip


def print_slack(bare: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32 grey levels by which print (h, w, 3) in 0..255 may differ for lying a little otherwise."""
    steep = cv2.morphologyEx(bare.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.LUT(steep, SLACK))


def compose(
    seen: np.ndarray,
    window: Window,
    faces: Sequence[PlacedFace],
    light: PictureLight | None = None,
    fitted: frozenset[int] = frozenset(),
    lights: Sequence[int] | None = None,
    levels: Mapping[int, float] | None = None,
) -> Canvas:
    """The canvas for `seen` (H, W, 3) uint8 with the given faces lying in it.

    `light`: that of the picture, when it is known from a larger part of it. `fitted`: indices of faces that lie
    where they fit best already; `lights`: of those that tell the light, all by default; `levels`: `face_levels` that
    are known from elsewhere. Raises ValueError without faces: the light of the picture comes from them.
    """
    if not faces:
        raise ValueError("a canvas needs at least one recognised face to know the light")
    if light is not None and light.shade is not None:
        return _in_sun_and_shade(seen, window, faces, light, fitted, levels)
    table = SeenTable(seen, (window.left_mm, window.top_mm))
    telling = range(len(faces)) if lights is None else lights
    laid, light = _laid_in_light(table, faces, light, fitted, telling)
    level = _face_levels(table, laid, light)
    for index, known_level in (levels or {}).items():
        level[index] = known_level
    flat, label = _drawn(laid, window, light.blur_px)
    # nothing is asked of bare print far from all faces: most of a window with few of them
    box = window.box(np.vstack([face.corners_mm for face in laid]), AROUND_FACES_MM)
    box = (_whole_blocks(box[0], window.height_px), _whole_blocks(box[1], window.width_px))
    there = seen.astype(np.float32)
    brightness = np.append(level, np.float32(1.0))[label[box]]  # label -1 takes the last
    bare = light.over_table(flat[box], brightness, window.part(box).axes_mm())
    slack = print_slack(bare)
    face_levels = tuple(float(v) for v in level)
    broad = broad_light(there[box], bare, slack, label[box] >= 0, light.noise)
    if broad is not None:
        bare = broad.on(bare)
        share = np.ones(label.shape, np.float32)
        share[box] = broad.share
        broad = replace(broad, share=share)
    bare, slack = (_within(part, box, label.shape) for part in (bare, slack))
    return Canvas(window, there, bare, slack, label, light, face_levels, tuple(laid), broad)


def _in_sun_and_shade(
    seen: np.ndarray, window: Window, faces: Sequence[PlacedFace], light: PictureLight, fitted: frozenset[int],
    levels: Mapping[int, float] | None,
) -> Canvas:
    """The canvas of faces in the `light` of the sun and its shade: that of the picture as it looks where the sun falls
    on all of it."""
    assert light.shade is not None
    sun = replace(light, shade=None)
    lit, shaded = seen, np.zeros(seen.shape[:2], bool)
    for _ in range(RELIT):
        table = SeenTable(lit, (window.left_mm, window.top_mm))
        flat, label = _drawn(_laid_in_light(table, faces, sun, fitted, ())[0], window, sun.blur_px)
        even = np.ones(label.shape, np.float32)
        in_sun, in_shade = (one.over_table(flat, even, window.axes_mm()) for one in (sun, light.shade))
        shaded = where_shaded(seen, in_sun, in_shade, print_slack(in_sun), label >= 0, sun.noise)
        lit = in_the_sun(seen, shaded, light, window.axes_mm())
    canvas = compose(lit, window, faces, sun, fitted, levels=levels)
    other = raised_into_the_sun(lit, seen, shaded, label >= 0)
    return replace(
        canvas, slack=np.maximum(canvas.slack, edge_slack(shaded, seen, lit)),
        otherwise=None if other is None else other.astype(np.float32),
    )  # fmt: skip


def _drawn(faces: Sequence[PlacedFace], window: Window, blur_px: float) -> tuple[np.ndarray, np.ndarray]:
    """(H, W, 3) uint8 BGR the print of the faces where they lie in the window, 0 elsewhere, and (H, W) int16 which of
    them it is, -1 for none."""
    flat = np.zeros((window.height_px, window.width_px, 3), np.uint8)
    label = np.full(flat.shape[:2], -1, np.int16)
    for index, face in enumerate(faces):
        draw(flat, label, face, index, (window.left_mm, window.top_mm), blur_level(blur_px))
    return flat, label


def _within(part: np.ndarray, box: tuple[slice, slice], shape: tuple[int, ...]) -> np.ndarray:
    """(H, W, 3) a picture of that shape with a part (h, w, 3) in its rows and columns, 0 elsewhere."""
    rows, columns = box
    beyond = (rows.start, shape[0] - rows.stop, columns.start, shape[1] - columns.stop)
    return np.asarray(cv2.copyMakeBorder(part, *beyond, cv2.BORDER_CONSTANT, value=(0.0, 0.0, 0.0)))


def laid_faces(
    seen: np.ndarray, window: Window, faces: Sequence[PlacedFace], light: PictureLight
) -> tuple[list[PlacedFace], list[float]]:
    """The faces where they fit best in `seen` (H, W, 3) uint8, and the brightness of each: what `compose` finds out in
    a known light, without the canvas."""
    table = SeenTable(seen, (window.left_mm, window.top_mm))
    laid = fit_faces(table, faces, light)
    return laid, _face_levels(table, laid, light).tolist()


def told_light(seen: np.ndarray, window: Window, faces: Sequence[PlacedFace]) -> PictureLight:
    """The light that one or more faces tell in `seen` (H, W, 3) uint8: that of the canvas which `compose` would make of
    them, or that of the sun and its shade. The canvas of a whole map takes 60 MB and more."""
    table = SeenTable(seen, (window.left_mm, window.top_mm))
    laid, light = _laid_in_light(table, faces, None, frozenset(), range(len(faces)))
    return with_shade(*_spots(table, laid, LIGHT_SAMPLES), light)


def sun_and_shade_of(canvas: Canvas, is_sunny: bool) -> PictureLight | None:
    """The light of the sun with its shade where the faces of a canvas tell both, None where one light explains them;
    `is_sunny`: see `with_shade`."""
    table = SeenTable(canvas.seen, (canvas.window.left_mm, canvas.window.top_mm))
    both = with_shade(*_spots(table, canvas.faces, LIGHT_SAMPLES), canvas.light, is_sunny)
    return None if both.shade is None else both


def _laid_in_light(
    table: SeenTable, faces: Sequence[PlacedFace], light: PictureLight | None, fitted: frozenset[int],
    telling: Sequence[int],
) -> tuple[list[PlacedFace], PictureLight]:
    """The faces where they fit best, but for those that are `fitted`, and the light; that of those `telling` it where
    it is not known."""
    rough = light or _fitted_light(table, [faces[k] for k in telling], samples=ROUGH_SAMPLES)
    moving = iter(fit_faces(table, [face for k, face in enumerate(faces) if k not in fitted], rough))
    laid = [face if k in fitted else next(moving) for k, face in enumerate(faces)]
    if light is None:
        known = [laid[k] for k in telling]
        light = _fitted_light(table, known, rough)
        light = replace(light, blur_px=fit_blur(table, known[:: max(1, len(known) // BLUR_FACES)], light))
    return laid, light


def _whole_blocks(side: slice, length: int) -> slice:
    """The side of a box grown to the blocks of a window of this length in which broad light is told, one at least."""
    start = min(side.start, length - 1) // BLOCK_PX * BLOCK_PX
    return slice(start, min(max(-(-side.stop // BLOCK_PX) * BLOCK_PX, start + BLOCK_PX), length))


def _fitted_light(
    table: SeenTable, faces: Sequence[PlacedFace], start: PictureLight | None = None, samples: int = LIGHT_SAMPLES
) -> PictureLight:
    """The light by the plain spots of all faces, where their exact place matters little."""
    return fit_light(*_spots(table, faces, samples), start)


def _spots(table: SeenTable, faces: Sequence[PlacedFace], samples: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """About so many plain spots of all faces: (N, 3) their colours and what is seen of them, (N, 2) where, table mm."""
    points, flat = _plain_spots(faces, max(8, samples // len(faces)))
    seen, place_mm = table.at(faces, points)
    return flat, seen, place_mm


def _plain_spots(faces: Sequence[PlacedFace], each: int) -> tuple[list[np.ndarray], np.ndarray]:
    """About so many of the plain spots of each face, (n, 2) px of its scan; and their colours, (N, 3) uint8 BGR, one
    face after the other."""
    points = [face.scan.plain[:: max(1, len(face.scan.plain) // each)] for face in faces]
    colours = [face.scan.soft[0][at[:, 1], at[:, 0]] for face, at in zip(faces, points, strict=True)]
    return points, np.concatenate(colours)


def _face_levels(table: SeenTable, faces: Sequence[PlacedFace], light: PictureLight) -> np.ndarray:
    """How much brighter each face is than the light of the whole picture says: median ratio of spots not cut off."""
    points, flat = _plain_spots(faces, LEVEL_SAMPLES)
    seen, place_mm = table.at(faces, points)
    want = light.expect(flat, place_mm)
    usable = (np.maximum(seen, want) < SATURATED).all(-1)
    ratio = (seen.sum(-1) + 3 * BLACK) / (want.sum(-1) + 3 * BLACK)
    out = np.ones(len(faces), np.float32)
    last = 0
    for index, at in enumerate(points):
        own = slice(last, last := last + len(at))
        told = ratio[own][usable[own]]
        if len(told) >= LEAST_SPOTS:
            out[index] = min(max(median(told), 1 - UNEVEN), 1 + UNEVEN)
    return out
