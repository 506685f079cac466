"""`companion sample print`: the project's own edition of a game as a PDF to print, cut and play with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from companion.core.errors import DataError

PAPERS = ("a4", "letter")
GAMES = ("envyra", "spyrium", "rifts")
DRAWN = ("spyrium",)
"""Games whose faces are drawn one by one, without anything of a box of your own."""

BOX_PX_PER_MM = 8.0
"""Of the faces in a box file: a camera over a table resolves less than three."""


@click.group()
def sample() -> None:
    """The sample editions: tiles, boards and cards of our own, with invented values."""


@sample.command("print", epilog="Example: companion sample print --paper a4 --out sample.pdf")
@click.option("--game", type=click.Choice(GAMES), default="envyra", show_default=True, help="Which game's pieces.")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="Size of the sheets.")
@click.option("--catalogue", default="sample", show_default=True, help="A shipped catalogue's name, or a file.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("sample-edition.pdf"), show_default=True
)
def print_sheets(game: str, paper: str, catalogue: str, out: Path) -> None:
    """Write the printable sheets: all that is printed in the box of that game, in the copies a box holds.

    Print at 100 %; the line at the foot of each page must then be 100 mm long.
    """
    content = _sheets_of(game)(catalogue, paper.upper())
    try:
        out.write_bytes(content)
    except OSError as error:
        raise DataError(
            f"cannot write the sheets: {error.strerror}", where=str(out), remedy="Choose another --out."
        ) from None
    click.echo(f"{out}: print at 100 % and check the 100 mm line. The values are invented.")


@sample.command("box", epilog="Example: companion sample box --game spyrium --out spyrium.zip")
@click.option("--game", type=click.Choice(DRAWN), default=DRAWN[0], show_default=True, help="Which game's cards.")
@click.option("--catalogue", default="sample", show_default=True, help="A shipped catalogue's name, or a file.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("sample-box.zip"), show_default=True
)
def sample_box(game: str, catalogue: str, out: Path) -> None:
    """Write what the camera must know of the printed sample edition: its catalogue and the faces of its cards.

    As `companion enrol` writes it of a box of your own; `companion play --camera … --box-file FILE` takes it.
    """
    from calibration.box_file import EnrolledBox, write_box
    from calibration.spyrium_edition.art import edition_faces
    from companion.games import find_game

    known = find_game(game).load_catalogue(catalogue)
    faces = edition_faces(known, BOX_PX_PER_MM)
    write_box(out, EnrolledBox(game, known.text, {face: (picture,) for face, picture in faces.items()}))
    click.echo(f"{out}: {len(faces)} faces. The values are invented.")


def _sheets_of(game: str) -> Callable[[str, str], bytes]:
    """Makes the PDF of a game's pieces from the name or path of a catalogue and the name of a paper."""
    from calibration.rifts_edition.sheets import rifts_sheets
    from calibration.sample_edition.sheets import Paper, sample_sheets
    from calibration.spyrium_edition.sheets import spyrium_sheets
    from companion.games.envyra.catalogue import load_catalogue as load_envyra
    from companion.games.rifts.catalogue import load_catalogue as load_rifts
    from companion.games.spyrium.catalogue import load_catalogue as load_spyrium

    if game == "rifts":
        return lambda catalogue, paper: rifts_sheets(load_rifts(catalogue), Paper[paper])
    if game == "spyrium":
        return lambda catalogue, paper: spyrium_sheets(load_spyrium(catalogue), Paper[paper])
    return lambda catalogue, paper: sample_sheets(load_envyra(catalogue), Paper[paper])


COMMANDS = (sample,)
