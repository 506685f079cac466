"""The choices at the set-up of a game of Envyra, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.game import OptionSpec
from companion.core.game_kit.setups import choice_problems, seat_problems
from companion.core.types import Setup
from companion.games.envyra.edition.components import Catalogue, Theme

MIN_SEATS, MAX_SEATS = 2, 4

OPTIONS: tuple[OptionSpec, ...] = (
    OptionSpec("variant", ("standard", "basic"), "Standard or basic variant (one cube a round)", "E70",
               ("standard", "basic")),
    OptionSpec("equilibrium", ("none", "a", "b", "c"), "Equilibrium cards: none, open, secret, or both", "E73",
               ("no cards", "A: open cards", "B: secret cards", "C: open and secret cards")),
    OptionSpec("card_choice", ("random", "pick"), "Secret Equilibrium cards: at random or picked", "R-11",
               ("dealt at random", "picked by the players")),
    OptionSpec(
        "secret_cards", ("companion", "table"),
        "Secret Equilibrium cards: kept by the companion or on the table", "E72",
        ("kept by the companion", "kept on the table"),
    ),
    OptionSpec("end_tile", ("standard", "alternative"), "Which End tile is used", "R-01",
               ("the standard one", "the alternative one")),
    OptionSpec("corner", ("tl", "tr", "br", "bl"), "Where the red corner card lies, seen from the bottom seat", "E12",
               ("top left", "top right", "bottom right", "bottom left")),
    OptionSpec(
        "removed_tiles", ("unknown", "drawn"), "Tiles put back into the box: unseen, or drawn by the companion", "E10",
        ("put back unseen", "drawn by the companion"),
    ),
)


def option_problems(setup: Setup, catalogue: Catalogue) -> list[str]:
    """Everything that keeps `setup` from being played with `catalogue`, in words."""
    problems = seat_problems(setup, "envyra", MIN_SEATS, MAX_SEATS, "E4")
    keys = [key for key, _ in setup.options]
    if keys != sorted(set(keys)):
        problems.append("options: expected each key once, in alphabetical order")
    problems += choice_problems(setup, OPTIONS)
    ends = [t for t in catalogue.tiles if t.theme is Theme.END]
    if setup.option("end_tile", "standard") == "alternative" and not any(t.alternative for t in ends):
        problems.append("end_tile: the catalogue has no alternative End tile (R-01)")
    if setup.option("equilibrium", "none") != "none" and not catalogue.cards:
        problems.append("equilibrium: the catalogue has no Equilibrium cards (E71)")
    return problems
