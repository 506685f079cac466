"""What a stranger's table shows beside pieces: printed cloth, bowl, packet, pen, hand; and pieces' own shapes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from companion.lab.scenes.wide_pieces import SIDE_PX, linear_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

TURNS = 360  # steps in which a shape's radius is given
SKIN: tuple[Rgb, ...] = ((224, 172, 140), (188, 132, 98), (112, 74, 54))
LETTERS = "mMWSNKR"
CORNERS = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
"""How far a piece reaches on four sides, of its radius."""


def disc() -> Floats:
    """(TURNS,) radii of a round piece."""
    return np.ones(TURNS)


def oval(longer: float) -> Floats:
    """(TURNS,) radii of an oval so much longer than broad, 1 at most."""
    turn = 2 * np.pi * np.arange(TURNS) / TURNS
    return np.asarray(1 / np.hypot(np.cos(turn), longer * np.sin(turn)))


def peanut() -> Floats:
    """(TURNS,) radii of a long piece with a waist, 1 at most."""
    turn = 2 * np.pi * np.arange(TURNS) / TURNS
    radii = 0.62 + 0.3 * np.cos(2 * turn) + 0.06 * np.cos(4 * turn)
    return np.asarray(radii / radii.max())


def uneven(radii: Floats, rng: np.random.Generator) -> Floats:
    """(TURNS,) the same, as no candy is quite round."""
    turn = 2 * np.pi * np.arange(TURNS) / TURNS
    waves = sum(float(rng.normal(0, 0.018)) * np.cos(k * turn + float(rng.uniform(0, 6.3))) for k in (2, 3, 4))
    return np.asarray(radii * (1 + waves))


def lettered(sprite: Singles, rng: np.random.Generator) -> Singles:
    """A piece's own picture with a letter printed on it."""
    shown = sprite.copy()
    mask = np.zeros(sprite.shape[:2], np.uint8)
    letter = LETTERS[int(rng.integers(len(LETTERS)))]
    (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 2.2, 5)
    where = ((SIDE_PX - wide) // 2 + int(rng.integers(-9, 10)), (SIDE_PX + high) // 2 + int(rng.integers(-9, 10)))
    cv2.putText(mask, letter, where, cv2.FONT_HERSHEY_DUPLEX, 2.2, 255, 5, cv2.LINE_AA)
    ink = 0.75 * (mask / 255.0)[..., None].astype(np.float32)
    pale = sprite.mean() > 0.5
    return np.asarray(shown + ink * ((0.05 if pale else 0.85) - shown), np.float32)


def worn(sprite: Singles, rng: np.random.Generator) -> Singles:
    """A candy's own picture with pale scratches and cracks in its shell."""
    shown = sprite.copy()
    for _ in range(int(rng.integers(2, 7))):
        points = rng.uniform(0.2, 0.8, 2) * SIDE_PX + np.cumsum(rng.normal(0, 0.05 * SIDE_PX, (5, 2)), axis=0)
        mask = np.zeros(sprite.shape[:2], np.uint8)
        cv2.polylines(mask, [np.rint(points).astype(np.int32)], False, 255, int(rng.integers(1, 5)), cv2.LINE_AA)
        shown += 0.6 * (mask / 255.0)[..., None].astype(np.float32) * (0.7 - shown)
    return shown


def flashed(sprite: Singles, chips: bool, rng: np.random.Generator) -> Singles:
    """A piece's own picture with the small hard glint of a flash: on candies near the crown, on some chips anywhere."""
    if chips and rng.random() < 0.6:
        return sprite
    at = rng.uniform(-0.5, 0.5, 2) if chips else rng.normal(0, 0.08, 2)
    rows, cols = (np.mgrid[:SIDE_PX, :SIDE_PX] + 0.5 - SIDE_PX / 2) / (SIDE_PX / 2)
    far = np.hypot(cols - at[0], rows - at[1])
    size = float(rng.uniform(0.1, 0.25))
    return np.asarray(sprite + (2.0 * np.clip((size - far) / 0.04, 0, 1))[..., None], np.float32)


def printed_cloth(linear: Singles, ink: Floats, pitch: float, rng: np.random.Generator) -> None:
    """Print checks, stripes, dots or rings of a colour (3,) linear BGR, `pitch` px apart, on a table (H, W, 3)."""
    high, wide = linear.shape[:2]
    turn = float(rng.uniform(0, np.pi))
    rows, cols = np.mgrid[:high, :wide].astype(np.float32)
    u, v = (cols * np.cos(turn) + rows * np.sin(turn)) / pitch, (rows * np.cos(turn) - cols * np.sin(turn)) / pitch
    kind = str(rng.choice(["checks", "stripes", "dots", "rings"]))
    if kind == "checks":
        cover = 0.5 * (u % 1 < 0.5) + 0.5 * (v % 1 < 0.5)
    elif kind == "stripes":
        cover = (u % 1 < 0.4).astype(np.float32)
    else:
        far = np.hypot(u % 1 - 0.5, v % 1 - 0.5)
        cover = (far < 0.25 if kind == "dots" else np.abs(far - 0.3) < 0.06).astype(np.float32)
    soft = cv2.GaussianBlur(cover.astype(np.float32), (0, 0), 0.8)[..., None]
    linear += 0.9 * soft * (ink.astype(np.float32) - linear)


def lay_thing(linear: Singles, radius: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Lay a bowl, a packet, a pen or a hand at an edge of a table (H, W, 3) linear BGR; (H, W) where it lies.

    `radius`: of the pieces, px.
    """
    high, wide = linear.shape[:2]
    kind = str(rng.choice(["bowl", "packet", "pen", "hand"]))
    side = np.array([(0.0, 0.5), (1.0, 0.5), (0.5, 0.0), (0.5, 1.0)][int(rng.integers(4))])
    middle = (side + rng.uniform(-0.25, 0.25, 2)) * (wide, high)
    colour = linear_of(tuple(int(v) for v in rng.integers(20, 240, 3)))  # type: ignore[arg-type]
    at = (round(float(middle[0])), round(float(middle[1])))
    mask = np.zeros((high, wide), np.float32)
    print_mask = np.zeros((high, wide), np.float32)
    if kind == "bowl":
        reach = round(float(rng.uniform(4, 8)) * radius)
        cv2.circle(mask, at, reach, 1.0, -1, cv2.LINE_AA)
        cv2.circle(print_mask, at, round(0.85 * reach), 0.5, -1, cv2.LINE_AA)
    elif kind == "packet":
        box = cv2.boxPoints((at, (16 * radius, 10 * radius), float(rng.uniform(0, 180))))
        cv2.fillPoly(mask, [np.rint(box).astype(np.int32)], 1.0, cv2.LINE_AA)
        text = np.zeros((high, wide), np.uint8)
        start = (at[0] - round(6 * radius), at[1])
        cv2.putText(text, "Sweets", start, cv2.FONT_HERSHEY_TRIPLEX, radius / 7, 255, max(1, round(radius / 5)))
        print_mask += text / np.float32(255)
        for _ in range(5):  # printed pieces
            spot = middle + rng.uniform(-4, 4, 2) * radius
            cv2.circle(print_mask, (round(float(spot[0])), round(float(spot[1]))), round(radius), 0.8, -1, cv2.LINE_AA)
    elif kind == "pen":
        away = np.array([np.cos(t := float(rng.uniform(0, 6.3))), np.sin(t)]) * 9 * radius
        ends = [np.rint(middle + away).astype(int).tolist(), np.rint(middle - away).astype(int).tolist()]
        cv2.line(mask, ends[0], ends[1], 1.0, max(2, round(0.7 * radius)), cv2.LINE_AA)
    else:
        colour = linear_of(SKIN[int(rng.integers(3))])
        inward = np.array([wide / 2, high / 2]) - middle
        inward /= np.linalg.norm(inward) + 1e-6
        cv2.circle(mask, at, round(4 * radius), 1.0, -1, cv2.LINE_AA)
        for k in range(4):
            turn = (k - 1.5) * 0.25
            way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ inward
            end = np.rint(middle + way * 9 * radius).astype(int).tolist()
            cv2.line(mask, at, end, 1.0, round(1.6 * radius), cv2.LINE_AA)
    shade = cv2.GaussianBlur(mask, (0, 0), 0.4 * radius)[..., None]
    linear *= 1 - 0.4 * shade
    linear += mask[..., None] * (colour.astype(np.float32) - linear)
    other = linear_of(tuple(int(v) for v in rng.integers(20, 240, 3)))  # type: ignore[arg-type]
    linear += (mask * print_mask)[..., None] * (other.astype(np.float32) - linear)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3))) > 0)
