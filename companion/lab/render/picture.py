"""Paints slabs and limbs on a table as a camera sees them: shade, soft shadows, lens, sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.camera import View
from companion.lab.render.lights import SHADOW_SAMPLES, Light, Shade
from companion.lab.render.pieces import Limb, Slab
from companion.lab.render.sensor import Optics, develop
from companion.lab.render.surfaces import lay_surface
from vision.srgb import LINEAR

Floats = NDArray[np.float64]
Box = tuple[slice, slice]
Lit = tuple[int, int, int, int]

AMBIENT, KEY, SUN, GLOSS = range(4)
"""Channels of the two light canvases: what lights the colours from three sides, and what a glossy top adds to them."""

_UNIT = 160  # value of unit light in the 8-bit light canvas, which leaves room up to 1.6
_SHIFT = 4
_UP = np.array([0.0, 0.0, -1.0])

TO_LINEAR = LINEAR.astype(np.float32)
"""sRGB byte -> linear."""


@dataclass(frozen=True, slots=True, eq=False)
class RenderedScene:
    """Everything that a picture shows."""

    surface: NDArray[np.uint8]
    surface_turn: float
    slabs: tuple[Slab, ...] = ()
    limbs: tuple[Limb, ...] = field(default=())


class Painter:
    """One picture in the making, on the undistorted canvas of a view."""

    def __init__(self, view: View, light: Light) -> None:
        self.view, self.light = view, light
        width, height = view.canvas_size
        self.colour = np.zeros((height, width, 3), np.uint8)
        self.lit = np.zeros((height, width, 2), np.uint8)  # ambient, key; _UNIT is 1.0
        self.extra = np.zeros((height, width, 2), np.uint8)  # sun, gloss
        self.camera_mm = view.camera.centre_mm()

    def paint(self, scene: RenderedScene) -> None:
        """Paint the whole scene, back to front."""
        self._table(scene)
        for layer in sorted({s.layer for s in scene.slabs}):
            slabs = [s for s in scene.slabs if s.layer == layer]
            slabs.sort(key=self._nearness)
            for slab in slabs:
                self._shadow(_hull_points(slab), slab.bottom_mm, slab.top_mm - slab.bottom_mm)
            for slab in slabs:
                self._sides(slab)
                self._top(slab)
        for limb in scene.limbs:
            self._limb_shadow(limb)
        for limb in sorted(scene.limbs, key=lambda one: -float(one.start_mm[2] + one.end_mm[2])):
            self._limb(limb)
        for shade in self.light.shades:
            self._shade(shade)

    def _nearness(self, slab: Slab) -> float:
        centre = np.array([*slab.outline_mm.mean(axis=0), -slab.bottom_mm])
        return -float(np.linalg.norm(centre - self.camera_mm))

    def _table(self, scene: RenderedScene) -> None:
        self.colour = lay_surface(scene.surface, self.view.plane(0.0), self.view.canvas_size, scene.surface_turn)
        coarse = 16
        height, width = self.lit.shape[:2]
        x, y = np.meshgrid(np.arange(0, width + coarse, coarse), np.arange(0, height + coarse, coarse))
        back = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1) @ np.linalg.inv(self.view.plane(0.0)).T
        points = np.column_stack([back[:, :2] / back[:, 2:], np.zeros(x.size)])
        key = self.light.at(points, np.broadcast_to(_UP, points.shape)).reshape(x.shape)
        dense = cv2.resize(
            key.astype(np.float32), (x.shape[1] * coarse, x.shape[0] * coarse), interpolation=cv2.INTER_LINEAR
        )
        self.lit[..., AMBIENT] = _UNIT
        self.lit[..., KEY] = np.clip(dense[:height, :width] * _UNIT, 0, 255)
        if self.light.sun is not None:
            self.extra[..., SUN - 2] = self._sunlit(0.0, (slice(0, height), slice(0, width)))

    def _sunlit(self, height_mm: float, box: Box) -> NDArray[np.uint8]:
        """The sun's light on a plane at a height, (h, w) uint8, for a part of the canvas."""
        out = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint8)
        origin = np.array([box[1].start, box[0].start])
        for pane in self.light.sun.panes_at(height_mm) if self.light.sun else ():
            corners = self.view.to_canvas(np.column_stack([pane, np.full(len(pane), -height_mm)])) - origin
            quad = np.round(np.clip(corners, -30000, 30000) * (1 << _SHIFT)).astype(np.int32)
            cv2.fillConvexPoly(out, quad, _UNIT, cv2.LINE_AA, _SHIFT)
        return out

    def _per_mm(self, height_mm: float) -> float:
        """Canvas px for each mm of a plane at a height, in the middle of the table."""
        plane = self.view.plane(-height_mm)
        return float(np.sqrt(abs(np.linalg.det(plane[:2, :2]))) / abs(plane[2, 2]))

    def _box(self, points: Floats, margin: int) -> Box | None:
        """The part of the canvas around canvas points (N, 2); None when it lies outside."""
        height, width = self.lit.shape[:2]
        low = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0)
        high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + margin + 1, [width, height])
        if (high <= low).any():
            return None
        return slice(low[1], high[1]), slice(low[0], high[0])

    def _shadow(self, solid_mm: Floats, ground_mm: float, height_mm: float) -> None:
        """Take the light that a solid (N, 3) keeps off the plane at `ground_mm` of height."""
        falls = []
        for lamp in self.light.samples_mm:
            reach = (-ground_mm - lamp[2]) / (solid_mm[:, 2] - lamp[2])
            flat = lamp[:2] + (solid_mm[:, :2] - lamp[:2]) * reach[:, None]
            falls.append(self.view.to_canvas(np.column_stack([flat, np.full(len(flat), -ground_mm)])))
        self._darken(falls, KEY, 1.0)
        if self.light.sun is not None:
            above = -solid_mm[:, 2] - ground_mm
            flat = solid_mm[:, :2] - above[:, None] * self.light.sun.lean
            hull = self.view.to_canvas(np.column_stack([flat, np.full(len(flat), -ground_mm)]))
            self._darken([hull], SUN, 1.0, blur_px=max(0.6, 0.005 * height_mm * self._per_mm(ground_mm)))
        foot = self.view.to_canvas(np.column_stack([solid_mm[:, :2], np.full(len(solid_mm), -ground_mm)]))
        self._darken([foot], AMBIENT, 0.55, blur_px=max(0.6, 0.45 * height_mm * self._per_mm(ground_mm)))

    def _shade(self, shade: Shade) -> None:
        outline = self.view.to_canvas(np.column_stack([shade.outline_mm, np.zeros(len(shade.outline_mm))]))
        soft = shade.soft_mm * self._per_mm(0.0)
        for channel, share in ((AMBIENT, shade.ambient), (KEY, shade.direct), (SUN, shade.direct)):
            self._darken([outline], channel, share, blur_px=soft)

    def _darken(self, outlines: list[Floats], channel: int, strength: float, blur_px: float = 0.0) -> None:
        margin = int(3 * blur_px) + 2
        box = self._box(np.concatenate(outlines), margin)
        if box is None:
            return
        origin = np.array([box[1].start, box[0].start])
        total = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint16)
        mask = np.zeros(total.shape, np.uint8)
        for outline in outlines:
            mask[:] = 0
            hull = cv2.convexHull(np.round((outline - origin) * (1 << _SHIFT)).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SHIFT)
            total += mask
        share = total.astype(np.float32) * (strength / (255.0 * len(outlines)))
        if blur_px:
            share = cv2.GaussianBlur(share, (0, 0), blur_px)
        plane = (self.lit if channel < SUN else self.extra)[..., channel % 2][box]
        plane[:] = (plane * (1 - share) + 0.5).astype(np.uint8)

    def _light_on(self, points_mm: Floats, normal: Floats, ambient: float) -> Lit:
        key = self.light.at(points_mm[None], normal[None])[0]
        sun = self.light.sun
        sunny = 0.0
        if sun is not None and sun.reaches(points_mm[:2], -points_mm[2]):
            sunny = max(0.0, float(np.array([*sun.lean, -1.0]) @ normal))  # 1 on what lies flat
        return int(_UNIT * ambient), int(np.clip(_UNIT * key, 0, 255)), int(np.clip(_UNIT * sunny, 0, 255)), 0

    def _sides(self, slab: Slab) -> None:
        corners = slab.outline_mm
        order = []
        for first, second in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            edge = second - first
            normal = np.array([edge[1], -edge[0], 0.0]) / (np.hypot(*edge) + 1e-9)
            middle = np.array([*(first + second) / 2, -(slab.bottom_mm + slab.top_mm) / 2])
            if normal @ (self.camera_mm - middle) > 0:
                order.append((-np.linalg.norm(self.camera_mm - middle), first, second, normal, middle))
        for _, first, second, normal, middle in sorted(order, key=lambda side: side[0]):
            quad = np.array(
                [[*first, -slab.bottom_mm], [*second, -slab.bottom_mm], [*second, -slab.top_mm], [*first, -slab.top_mm]]
            )
            self._flat(quad, slab.side, self._light_on(middle, normal, 0.62))

    def _flat(self, quad_mm: Floats, colour: tuple[int, int, int], lit: Lit) -> None:
        corners = [np.round(self.view.to_canvas(quad_mm) * (1 << _SHIFT)).astype(np.int32)]
        cv2.fillPoly(self.colour, corners, colour, cv2.LINE_AA, _SHIFT)
        height, width = self.lit.shape[:2]
        box = self._box(corners[0] / (1 << _SHIFT), 2)
        if box is not None and height and width:
            cv2.fillPoly(self.lit, corners, lit[:2], cv2.LINE_AA, _SHIFT)
            cv2.fillPoly(self.extra, corners, lit[2:], cv2.LINE_AA, _SHIFT)

    def _top(self, slab: Slab) -> None:
        outline = np.column_stack([slab.outline_mm, np.full(len(slab.outline_mm), -slab.top_mm)])
        centre = outline.mean(axis=0)
        lit = self._light_on(centre, _UP, 1.0)
        if isinstance(slab.top, tuple):
            self._flat(outline, slab.top, lit)
            return
        pixels = self.view.to_canvas(outline)
        box = self._box(pixels, 2)
        if box is None:
            return
        origin = np.array([box[1].start, box[0].start])
        mask = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint8)
        cv2.fillPoly(mask, [np.round((pixels - origin) * (1 << _SHIFT)).astype(np.int32)], 255, cv2.LINE_AA, _SHIFT)
        assert slab.corners_mm is not None, "a slab with a picture needs corners_mm"
        face = self.view.to_canvas(np.column_stack([slab.corners_mm, np.full(4, -slab.top_mm)])) - origin
        print_px = _at_size(slab.top, face)
        high, wide = print_px.shape[:2]
        source = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]], np.float32)
        lay = cv2.getPerspectiveTransform(source, face.astype(np.float32))
        picture = cv2.warpPerspective(
            print_px, lay, mask.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        share = mask[..., None].astype(np.float32) / 255
        extra = np.zeros((*mask.shape, 2), np.float32)
        if self.light.sun is not None:
            extra[..., SUN - 2] = self._sunlit(slab.top_mm, box)
        if slab.gloss or slab.haze:
            extra[..., GLOSS - 2] = np.minimum(self._mirrored(slab, box), 255)
        lights = ((self.lit, np.array(lit[:2], np.float32)), (self.extra, extra))
        for canvas, new in ((self.colour, picture), *lights):
            canvas[box] = (canvas[box] * (1 - share) + new * share + 0.5).astype(np.uint8)

    def _mirrored(self, slab: Slab, box: Box) -> NDArray[np.float32]:
        """What a glossy top mirrors of the lamp, (h, w) in units of light, for a part of the canvas."""
        eye, lamp = self.camera_mm, self.light.position_mm
        eye_up, lamp_up = -eye[2] - slab.top_mm, -lamp[2] - slab.top_mm
        spot = eye[:2] + (lamp[:2] - eye[:2]) * (eye_up / (eye_up + lamp_up)) + slab.warp_mm
        x, y = self.view.to_canvas(np.array([[*spot, -slab.top_mm]]))[0]
        # a rough varnish blurs the lamp's reflection to some centimetres, a small lamp's less
        reach = self._per_mm(slab.top_mm) * (18.0 + 0.12 * self.light.radius_mm)
        across = np.exp(-0.5 * ((np.arange(box[1].start, box[1].stop) - x) / reach) ** 2)
        down = np.exp(-0.5 * ((np.arange(box[0].start, box[0].stop) - y) / (1.6 * reach)) ** 2)
        return np.asarray(_UNIT * (slab.haze + slab.gloss * down[:, None] * across[None]), np.float32)

    def _limb_discs(self, limb: Limb, count: int = 40) -> tuple[Floats, Floats]:
        """Canvas centres (N, 2) and radii (N,) of the discs that a limb is painted from: at most `count`, those before
        the camera. An arm may reach past it."""
        t = np.linspace(0, 1, count)[:, None]
        centres = limb.start_mm + (limb.end_mm - limb.start_mm) * t
        radii = (limb.start_radius_mm + (limb.end_radius_mm - limb.start_radius_mm) * t)[:, 0]
        depth = np.column_stack([centres, np.ones(count)]) @ self.view.projection[2]
        before = depth > radii  # of what is nearer the lens is inside
        focal = self.view.camera.matrix[0, 0] * self.view.scale
        return self.view.to_canvas(centres[before]), radii[before] * focal / depth[before]

    def _limb_shadow(self, limb: Limb) -> None:
        around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = np.stack([np.cos(around), np.sin(around), np.zeros(12)], axis=1)
        solid = np.concatenate([limb.start_mm + ring * limb.start_radius_mm, limb.end_mm + ring * limb.end_radius_mm])
        self._shadow(solid, 2.0, 25.0)

    def _limb(self, limb: Limb) -> None:
        centres, radii = self._limb_discs(limb)
        middle, sun = (limb.start_mm + limb.end_mm) / 2, self.light.sun
        sunny = sun is not None and sun.reaches(middle[:2], -middle[2])
        lit = (int(_UNIT * 0.9), int(_UNIT * 0.9), int(_UNIT * 0.9) if sunny else 0, 0)
        for scale, tone in ((1.0, 0.66), (0.9, 0.78), (0.75, 0.9), (0.55, 1.0), (0.3, 1.06)):
            colour = tuple(min(255, int(c * tone)) for c in limb.colour)
            for centre, radius in zip(np.round(centres * 16).astype(int), radii * scale, strict=True):
                cv2.circle(self.colour, centre.tolist(), int(radius * 16), colour, -1, cv2.LINE_AA, _SHIFT)
                if scale == 1.0:
                    for canvas, value in ((self.lit, lit[:2]), (self.extra, lit[2:])):
                        cv2.circle(canvas, centre.tolist(), int(radius * 16), value, -1, cv2.LINE_AA, _SHIFT)

    def hidden_by_limbs(self, scene: RenderedScene, corners_mm: Floats, height_mm: float) -> float:
        """The share (0..1) of a flat quadrilateral (4, 2) at `height_mm` that limbs hide from the camera."""
        quad = self.view.to_canvas(np.column_stack([corners_mm, np.full(4, -height_mm)]))
        box = self._box(quad, 1)
        if box is None or not scene.limbs:
            return 0.0
        origin = np.array([box[1].start, box[0].start])
        mask = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad - origin).astype(np.int32), 1)
        total = int(mask.sum())
        for limb in scene.limbs:
            for centre, radius in zip(*self._limb_discs(limb), strict=True):
                cv2.circle(mask, np.round(centre - origin).astype(int).tolist(), int(radius), 0, -1)
        return 1.0 - int(mask.sum()) / max(total, 1)

    def develop(self, optics: Optics, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The finished picture (H, W, 3) uint8 BGR, before JPEG."""
        return develop(self.view.through_lens(self._linear_reduced()), self.light, optics, rng)

    def _linear_reduced(self) -> NDArray[np.float32]:
        """The canvas as linear light at the picture's scale, worked off in strips to stay small."""
        scale = self.view.scale
        height, width = self.lit.shape[:2]
        ambient = np.asarray(self.light.ambient_bgr / _UNIT, np.float32)
        key = np.asarray(self.light.key_bgr / _UNIT, np.float32)
        sun = None if self.light.sun is None else np.asarray(self.light.sun.bgr / _UNIT, np.float32)
        glossy = bool(self.extra[..., GLOSS - 2].any())
        tints = self._tints() if self.light.bounces else None
        strips = []
        step = 64 * scale
        for top in range(0, height, step):
            lit = self.lit[top : top + step].astype(np.float32)
            albedo = TO_LINEAR[self.colour[top : top + step]]
            around = lit[..., :1] * (ambient if tints is None else ambient * tints(top, top + len(lit)))
            strip = albedo * (around + lit[..., 1:] * key)
            extra = self.extra[top : top + step].astype(np.float32)
            if sun is not None:
                strip += albedo * (extra[..., :1] * sun)
            if glossy:
                strip += extra[..., 1:] * (key + ambient)
            size = (width // scale, strip.shape[0] // scale)
            strips.append(cv2.resize(strip, size, interpolation=cv2.INTER_AREA))
        return np.concatenate(strips)

    def _tints(self) -> Callable[[int, int], NDArray[np.float32]]:
        """The tint (h, w, 3) of the ambient light in some rows of the canvas: what coloured things throw back."""
        height, width = self.lit.shape[:2]
        coarse = 64
        x, y = np.meshgrid(np.arange(0, width + coarse, coarse), np.arange(0, height + coarse, coarse))
        back = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1) @ np.linalg.inv(self.view.plane(0.0)).T
        points = back[:, :2] / back[:, 2:]
        tint = np.ones((x.size, 3))
        for bounce in self.light.bounces:
            near = np.exp(-0.5 * (((points - bounce.xy_mm) / bounce.reach_mm) ** 2).sum(axis=1))
            tint *= 1 + near[:, None] * (bounce.tint - 1)
        size = (x.shape[1] * coarse, x.shape[0] * coarse)
        dense = cv2.resize(tint.reshape(*x.shape, 3).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return lambda first, last: np.asarray(dense[first:last, :width])


def _hull_points(slab: Slab) -> Floats:
    """(2N, 3) corners of a slab's top and foot."""
    count = len(slab.outline_mm)
    top = np.column_stack([slab.outline_mm, np.full(count, -slab.top_mm)])
    foot = np.column_stack([slab.outline_mm, np.full(count, -slab.bottom_mm)])
    return np.concatenate([top, foot])


def _at_size(picture: NDArray[np.uint8], face: Floats) -> NDArray[np.uint8]:
    """A picture shrunk so that it is not finer than where it will be laid, against moire."""
    wanted = max(np.linalg.norm(face[1] - face[0]), np.linalg.norm(face[2] - face[1]))
    share = wanted / max(picture.shape[:2])
    if share >= 0.9:
        return picture
    size = (max(2, round(picture.shape[1] * share)), max(2, round(picture.shape[0] * share)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


def render(
    scene: RenderedScene, view: View, light: Light, optics: Optics, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Painter]:
    """The picture and its painter, which can still be asked what is hidden."""
    painter = Painter(view, light)
    painter.paint(scene)
    return painter.develop(optics, rng), painter


assert SHADOW_SAMPLES <= 255, "shadows are summed in 16 bits"
