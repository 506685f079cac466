"""The emblem in the middle of each Spyrium card: a shape for every design and event."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from calibration.shapes import (
    Layer,
    Points,
    Shape,
    band,
    conifer,
    crown,
    crystal,
    disc,
    drop,
    flame,
    flower,
    lantern,
    leaf,
    lens,
    mushroom,
    rosette,
    shell,
    star,
    sun,
    volcano,
    waves,
)
from companion.games.spyrium.edition.designs import EVENTS, TECHNIQUES


def box(left: float, top: float, right: float, bottom: float) -> Points:
    """(4, 2) corners of an upright rectangle, clockwise from top left."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def works(chimneys: int, gates: int) -> Shape:
    """A factory hall with a saw-tooth roof, chimneys and gates."""
    roof = np.array([[-0.9, 0.0], [-0.3, -0.4], [-0.3, 0.0], [0.3, -0.4], [0.3, 0.0], [0.9, -0.4], [0.9, 0.9]])
    hall = np.concatenate([roof, [[-0.9, 0.9]]])
    stacks = [box(-0.8 + 0.5 * k, -1.0, -0.6 + 0.5 * k, 0.1) for k in range(chimneys)]
    doors = [box(-0.7 + 0.5 * k, 0.35, -0.4 + 0.5 * k, 0.9) for k in range(gates)]
    return (*(Layer(s) for s in stacks), Layer(hall), *(Layer(d, False) for d in doors))


def house(floors: int, windows: int) -> Shape:
    """A house with a gable, so many floors and windows in a row."""
    top = 0.9 - 0.42 * floors
    body = box(-0.75, top, 0.75, 0.9)
    gable = np.array([[-0.95, top], [0.0, top - 0.55], [0.95, top]])
    across = np.linspace(-0.55, 0.55, 2 * windows + 1)
    panes = [
        box(across[2 * k], top + 0.1 + 0.42 * floor, across[2 * k + 1], top + 0.34 + 0.42 * floor)
        for floor in range(floors)
        for k in range(windows)
    ]
    return (Layer(body), Layer(gable), *(Layer(p, False) for p in panes))


def pit(props: int) -> Shape:
    """A mine's mouth in a hill, with props."""
    hill = np.array([[-1.0, 0.9], [-0.55, -0.1], [-0.1, -0.85], [0.35, -0.3], [0.6, -0.45], [1.0, 0.9]])
    mouth = np.concatenate([[[0.45, 0.9]], disc(0.0, 0.45, 0.45)[36:], [[-0.45, 0.9]]])
    posts = [
        box(-0.35 + 0.7 * (k + 0.5) / props - 0.05, 0.1, -0.35 + 0.7 * (k + 0.5) / props + 0.05, 0.9)
        for k in range(props)
    ]
    return (Layer(hill), Layer(mouth, False), *(Layer(p) for p in posts))


def flask(bubbles: int) -> Shape:
    """A round flask with bubbles."""
    spots = [disc(-0.3 + 0.3 * k, 0.35 - 0.2 * (k % 2), 0.1) for k in range(bubbles)]
    return (Layer(box(-0.18, -0.95, 0.18, 0.0)), Layer(disc(0.0, 0.3, 0.62)), *(Layer(s, False) for s in spots))


def bust(hat: Points, badge: Shape) -> Shape:
    """A person: head, shoulders, a hat, and a sign on the chest."""
    shoulders = np.concatenate([[[0.85, 0.95]], disc(0.0, 0.85, 0.8)[36:], [[-0.85, 0.95]]])
    sign = tuple(Layer(layer.points * 0.3 + (0.0, 0.58), not layer.ink) for layer in badge)
    return (Layer(shoulders), Layer(disc(0.0, -0.25, 0.36)), Layer(hat + np.array([0.0, -0.52])), *sign)


def gear(teeth: int, inner: Shape) -> Shape:
    """A gear with so many teeth around a sign."""
    sign = tuple(Layer(layer.points * 0.5, not layer.ink) for layer in inner)
    return (Layer(rosette(teeth, 0.12)), *sign)


def _hats() -> tuple[Points, ...]:
    return (
        np.array([[-0.5, 0.05], [-0.3, -0.25], [0.3, -0.25], [0.5, 0.05]]),
        box(-0.4, -0.1, 0.4, 0.08),
        np.concatenate([box(-0.28, -0.42, 0.28, 0.0)[:2], [[0.28, 0.0], [0.55, 0.08], [-0.55, 0.08], [-0.28, 0.0]]]),
        disc(0.0, -0.02, 0.3),
        np.array([[-0.5, 0.1], [0.0, -0.4], [0.5, 0.1]]),
    )


@lru_cache(maxsize=1)
def emblems() -> dict[str, Shape]:
    """Design or event name -> its emblem."""
    out: dict[str, Shape] = {
        "mine-left": pit(1),
        "mine-middle": pit(2),
        "mine-right": pit(3),
        "workshop-left": works(1, 1),
        "workshop-right": works(1, 2),
        "factory-left": works(2, 3),
        "factory-right": works(3, 3),
        "laboratory-left": flask(1),
        "laboratory-middle": flask(2),
        "laboratory-right": flask(3),
        "university-left": crown(),
        "university-right": (*crown(), Layer(star(5, 0.4) * 0.3 + (0.0, 0.2), False)),
        "neighbourhood-left": house(1, 2),
        "neighbourhood-right": house(2, 2),
        "residence": house(2, 3),
        "luxury-home": house(3, 1),
        "mansion": house(3, 2),
        "palace": house(4, 3),
    }
    hats = _hats()
    signs = {
        "miner": lantern(),
        "geologist": crystal(),
        "apprentice": leaf(),
        "engineer": (Layer(rosette(8, 0.15)),),
        "bureaucrat": shell(),
        "adviser": sun(),
        "banker": (Layer(disc(0, 0, 0.9)), Layer(disc(0, 0, 0.5), False)),
        "financier": (Layer(star(4, 0.4)),),
        "architect": house(1, 1),
    }
    out |= {name: bust(hats[k % len(hats)], sign) for k, (name, sign) in enumerate(signs.items())}
    inner = (drop(), flame(), flower(), waves(), conifer(), volcano(), mushroom())
    out |= {name: gear(8 + 2 * k, inner[k]) for k, name in enumerate(TECHNIQUES)}
    out |= {event.value: _event(k) for k, event in enumerate(EVENTS)}
    return out


def _event(number: int) -> Shape:
    """A star of four to ten points with a bar across, turned a little further from event to event."""
    angle = 0.35 * number
    ends = np.outer(np.linspace(-0.7, 0.7, 5), [np.cos(angle), np.sin(angle)])
    eye = lens(-0.45, 0.0, 0.45, 0.0, 0.3) if number % 2 else disc(0.0, 0.0, 0.35)
    return (Layer(star(4 + number, 0.55)), Layer(eye, False), Layer(band(ends, 0.07), False))
