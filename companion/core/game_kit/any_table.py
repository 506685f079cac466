"""A game's table before anybody has sat down: what its layout says whoever plays."""

from __future__ import annotations

from companion.core.game import GameSpec, Rules
from companion.core.layout import TableLayout
from companion.core.types import SeatInfo, Setup


def any_layout(spec: GameSpec) -> TableLayout:
    """The table of the fewest players with the catalogue that ships."""
    return any_rules(spec).layout()


def any_rules(spec: GameSpec) -> Rules:
    """The rules for the fewest players with the catalogue that ships."""
    colours = spec.colours or tuple(str(n) for n in range(spec.min_seats))
    seats = tuple(SeatInfo(str(colour), str(colour)) for colour in colours[: spec.min_seats])
    options = tuple(sorted((option.key, option.values[0]) for option in spec.options))
    catalogue = spec.load_catalogue(spec.default_catalogue)
    return spec.make_rules(Setup(spec.name, seats, catalogue.id, options), catalogue)


def colour_groups(spec: GameSpec) -> tuple[tuple[str, ...], ...]:
    """What the pieces that the camera tells apart by colour are called: those of the seats, then the tokens; nothing
    where no piece stands on the table."""
    layout = any_layout(spec)
    return tuple(group for group in (spec.colours if layout.seat_pieces else (), layout.tokens) if group)


def colours_to_learn(spec: GameSpec) -> tuple[str, ...]:
    """All of these, in their order."""
    return tuple(name for group in colour_groups(spec) for name in group)
