"""What is printed on the location tiles of Rifts of N'Norya, and what a whole box has of them (N2, N13)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import Any

from companion.core.face_form import NO, YES, AskedNumber, FaceField, FaceForm, Progress, Shown, Values, Written
from companion.core.files import read_text
from companion.core.messages import Message
from companion.core.piece_outline import PieceOutline, hexagons_outline
from companion.games.rifts.edition.catalogue import CATALOGUES, LAND, MOST, START_TILE
from companion.games.rifts.edition.hexes import (
    DIRECTIONS,
    HEX_SIDE_MM,
    TILE_THICKNESS_MM,
    TURNS,
    Axial,
    middle_mm,
    turned,
)
from companion.games.rifts.edition.world import RESOURCES, Element, Terrain

MOST_SPACES = 4
RING: tuple[Axial, ...] = ((0, 0), *DIRECTIONS)
"""A tile of seven spaces, one in the middle."""
NOTHING = "none"
TEMPLE_SPACES = 3  # N13
MOST_GOLD = 9
TEMPLE_WORDS = {
    "health": "Temple, {element}, level {level}: health", "coins": "Temple, {element}, level {level}: coins",
}
LAND_WORDS = {
    Terrain.MOUNTAIN: "Mountain", Terrain.FOREST: "Forest", Terrain.DESERT: "Desert", Terrain.VILLAGE: "Village",
    Terrain.RIVER: "River", Terrain.IMPERIUM: "Imperium (starting tile)",
}
YELLOW_DEG, GREEN_DEG, WATER_DEG, BLUE_DEG = 90.0, 140.0, 225.0, 275.0
COLOURS: dict[str, tuple[tuple[tuple[str, float], ...], tuple[str, ...]]] = {
    "land": (((Terrain.FOREST.value, GREEN_DEG), (Terrain.DESERT.value, YELLOW_DEG),
              (Terrain.VILLAGE.value, BLUE_DEG), (Terrain.RIVER.value, WATER_DEG)), (Terrain.MOUNTAIN.value,)),
    "sells": (((Element.FIRE.value, YELLOW_DEG), (Element.EARTH.value, GREEN_DEG)), (Element.AIR.value,)),
}
"""Hue angles in Lab by which fields are guessed, and what has no colour. N13: white mountain, green forest, yellow
desert, blue village; no colour of a river is named: its water must differ from villages and forests.
N1: fire is yellow, earth green, air white."""


@lru_cache(maxsize=1)
def outlines() -> tuple[PieceOutline, ...]:
    """Every tile of up to MOST_SPACES spaces that hang together, and the ring: which ones a box has is its own (N2)."""
    shapes: list[tuple[Axial, ...]] = [((0, 0),)]
    grown = shapes
    for _ in range(MOST_SPACES - 1):
        larger: dict[tuple[Axial, ...], None] = {}
        for shape in grown:
            for q, r in shape:
                for dq, dr in DIRECTIONS:
                    if (q + dq, r + dr) not in shape:
                        larger.setdefault(_canonical((*shape, (q + dq, r + dr))))
        grown = list(larger)
        shapes = [*shapes, *grown]
    return tuple(_outline(shape) for shape in (*shapes, RING))


def _canonical(shape: tuple[Axial, ...]) -> tuple[Axial, ...]:
    """A shape as it lies in that of its turns that comes first, its first space at (0, 0)."""
    ways = []
    for turn in range(TURNS):
        cells = sorted((turned(at, turn) for at in shape), key=lambda at: (at[1], at[0]))
        q0, r0 = cells[0]
        ways.append(tuple((q - q0, r - r0) for q, r in cells))
    return min(ways, key=lambda way: [(r, q) for q, r in way])


def _outline(shape: tuple[Axial, ...]) -> PieceOutline:
    name = " ".join(f"{q},{r}" for q, r in shape)
    return hexagons_outline([middle_mm(at, HEX_SIDE_MM) for at in shape], HEX_SIDE_MM, name)


def _fields() -> tuple[FaceField, ...]:
    """The outline, then for each kind of field that of every space."""
    sizes = {one.name: len(one.parts_mm) for one in outlines()}
    out = [FaceField("shape", "Outline", Shown.OUTLINE, Written.TEXT, tuple(sizes))]
    spaces = range(max(sizes.values()))

    def there(k: int) -> tuple[str, tuple[str, ...]]:
        return "shape", tuple(name for name, count in sizes.items() if count > k)

    def on_each(key: str, title: str, shown: Shown, written: Written, values: tuple[str, ...], labels: tuple[str, ...],
                only: tuple[str, tuple[str, ...]] | None) -> None:
        hues, hueless = COLOURS.get(key, ((), ()))
        for k in spaces:
            hangs_on = there(k) if only is None else (f"{only[0]}_{k + 1}", only[1])
            out.append(FaceField(f"{key}_{k + 1}", title, shown, written, values, labels, hues, hueless, False,
                                 only=hangs_on, part=k, base=key))

    lands = tuple(land.value for land in LAND_WORDS)
    on_each("land", "Land", Shown.GROUND, Written.TEXT, lands, tuple(LAND_WORDS.values()), None)
    on_each("enemy", "Enemy", Shown.ICON, Written.FLAG, (NO, YES), (), ("land", LAND))
    on_each("rift", "Rift", Shown.ICON, Written.FLAG, (NO, YES), (), ("land", LAND))
    elements = tuple(element.value for element in RESOURCES)
    on_each("sells", "Buys", Shown.SPOT, Written.TEXT, (NOTHING, *elements), ("nothing", *elements),
            ("land", (Terrain.VILLAGE.value,)))
    on_each("gold", "Gold", Shown.FIGURE, Written.WHOLE, tuple(str(n + 1) for n in range(MOST_GOLD)), (),
            ("sells", elements))
    return tuple(out)


def _lands(piece: Values) -> list[str]:
    """What the spaces of a piece are."""
    return [piece[f"land_{k + 1}"] for k in range(len(RING)) if piece.get(f"land_{k + 1}")]


def _is_start(piece: Values) -> bool:
    return Terrain.IMPERIUM.value in _lands(piece)


def progress(pieces: Sequence[Values]) -> tuple[Progress, ...]:
    """What N2 and N13 say of a box; how many location tiles it has is its own."""
    starting = [k for k, piece in enumerate(pieces) if _is_start(piece)]
    many = len(starting) > 1
    lines = [
        Progress(Message("Starting tile"), len(starting), 1, "N2", many, tuple(starting) if many else ()),
        Progress(Message("Location tiles, as many as your box has"), len(pieces) - len(starting),
                 max(1, len(pieces) - len(starting)), "N2"),
    ]
    mixed = [k for k in starting if set(_lands(pieces[k])) != {Terrain.IMPERIUM.value}]
    if mixed:
        lines.append(Progress(Message("The starting tile has no other land"), len(mixed), 0, "N2", True, tuple(mixed)))
    for terrain, text in ((Terrain.MOUNTAIN, "Mountains: three for the temple of air"),
                          (Terrain.FOREST, "Forests: three for the temple of earth"),
                          (Terrain.DESERT, "Deserts: three for the temple of fire")):
        have = sum(_lands(piece).count(terrain.value) for piece in pieces)
        lines.append(Progress(Message(text), min(have, TEMPLE_SPACES), TEMPLE_SPACES, "N13"))
    return tuple(lines)


def own_id(piece: Values) -> str:
    """The starting tile has a name of its own."""
    return START_TILE if _is_start(piece) else ""


def entry(piece_id: str, values: Values) -> str:
    """A tile as its catalogue writes it."""
    spaces = []
    for k, cell in enumerate(values["shape"].split()):
        words = [cell, values[f"land_{k + 1}"]]
        words += [icon for icon in ("enemy", "rift") if values[f"{icon}_{k + 1}"] == YES]
        if values[f"sells_{k + 1}"] not in ("", NOTHING):
            words.append(f"sells={values[f'sells_{k + 1}']}:{values[f'gold_{k + 1}']}")
        spaces.append(" ".join(words))
    head = ["[start]"] if piece_id == START_TILE else ["[[tile]]", f"id = {json.dumps(piece_id)}"]
    return "\n".join([*head, f"spaces = {json.dumps(spaces)}"])


def sample_text(tables: Container[str]) -> str:
    """Tables of the sample edition, each value said to be a sample value: what is on no piece that was learnt."""
    usual, rows = _sample_rows()
    return "\n".join(
        "\n".join([f"[[{table}]]", *(_line(key, value, usual) for key, value in row.items()), ""])
        for table, row in rows if table in tables
    )


def _sample_rows() -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Where values of the sample edition come from, and its rows: (table, key -> value) each."""
    document = tomllib.loads(read_text(CATALOGUES / "sample.toml"))
    tables = {name: rows for name, rows in document.items() if isinstance(rows, list)}
    return document["catalogue"]["provenance"], [(name, row) for name, rows in tables.items() for row in rows]


def asked_numbers() -> tuple[AskedNumber, ...]:
    """What the store, the temples and the enemies' tokens show (N4, N30, N40), of which no picture is taken."""
    out = []
    for table, row in _sample_rows()[1]:
        told = {key: _value(value) for key, value in row.items()}
        if table == "item":  # N4
            title = Message("Store: price, {item}", item=Message(told["id"]))
            out.append(AskedNumber(f"price_{told['id']}", title, 0, MOST, told["price"]))
        elif table == "enemy":  # N30
            title = Message("Enemies with {gold} gold: how many", gold=told["gold"])
            out.append(AskedNumber(f"enemies_{told['gold']}", title, 1, MOST, told["copies"]))
        elif table == "temple":  # N40
            for key, text in TEMPLE_WORDS.items():
                for level, value in enumerate(told[key], 1):
                    title = Message(text, element=Message(told["element"]), level=level)
                    least = 1 if key == "health" else 0
                    out.append(AskedNumber(f"{key}_{told['element']}_{level}", title, least, MOST, value))
    return tuple(out)


def unseen_text(numbers: Mapping[str, int]) -> str:
    """The same as the catalogue writes it: a value is of the box once all of it was said, else a sample value."""
    usual, rows = _sample_rows()
    lines: list[str] = []
    for table, row in rows:
        names = {"item": [("price", "price_{id}")], "enemy": [("copies", "enemies_{gold}")],
                 "temple": [(key, f"{key}_{{element}}") for key in TEMPLE_WORDS]}.get(table)
        if names is None:
            continue
        told = {key: _value(value) for key, value in row.items()}
        said = {key: _said(name.format(**told), told[key], numbers) for key, name in names}
        lines += [f"[[{table}]]", *(_line(key, said.get(key, value), usual) for key, value in row.items()), ""]
    return "\n".join(lines)


def _said(key: str, sample: Any, numbers: Mapping[str, int]) -> dict[str, Any]:
    """A value by the numbers that were said: of the box when all of it was."""
    several = isinstance(sample, list)
    was = {f"{key}_{level}": value for level, value in enumerate(sample, 1)} if several else {key: sample}
    values = [numbers.get(one, value) for one, value in was.items()]
    origin = "box" if numbers.keys() >= was.keys() else "sample"
    return {"value": values if several else values[0], "provenance": origin}


def _value(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) else value


def _line(key: str, value: Any, usual: str) -> str:
    origin = value.get("provenance", usual) if isinstance(value, dict) else usual
    return f"{key} = {{ value = {json.dumps(_value(value))}, provenance = {json.dumps(origin)} }}"


FORM = FaceForm(
    table="tile",
    one="location tile",
    many="location tiles",
    size_mm=(2 * HEX_SIDE_MM, 2 * HEX_SIDE_MM),
    thickness_mm=TILE_THICKNESS_MM,
    fields=_fields(),
    named_by=(),
    progress=progress,
    asked=asked_numbers(),
    unseen=unseen_text,
    outlines=outlines(),
    own_id=own_id,
    entry=entry,
)
