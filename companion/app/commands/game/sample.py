"""`companion sample print`: the project's own edition of a game as a PDF to print, cut and play with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.games import DEFAULT_GAME

if TYPE_CHECKING:
    from calibration.sample_editions import SampleEdition

PAPERS = ("a4", "letter")
BOX_PX_PER_MM = 8.0
"""Of the faces in a box file: a camera over a table resolves less than three."""


@click.group()
def sample() -> None:
    """The sample editions: tiles, boards and cards of our own, with invented values."""


@sample.command("print", epilog="Example: companion sample print --paper a4 --out sample.pdf")
@click.option("--game", default=DEFAULT_GAME, show_default=True, help="Which game's pieces.")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="Size of the sheets.")
@click.option("--catalogue", default="sample", show_default=True, help="A shipped catalogue's name, or a file.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("sample-edition.pdf"), show_default=True
)
def print_sheets(game: str, paper: str, catalogue: str, out: Path) -> None:
    """Write the printable sheets: all that is printed in the box of that game, in the copies a box holds.

    Print at 100 %; the line at the foot of each page must then be 100 mm long.
    """
    from calibration.sample_edition.sheets import Paper
    from companion.app.files.atomic_write import write_whole
    from companion.games import find_game

    content = _edition(game).sheets(find_game(game).load_catalogue(catalogue), Paper[paper.upper()])
    write_whole(out, (content,), for_all=True)
    click.echo(f"{out}: print at 100 % and check the 100 mm line. The values are invented.")


@sample.command("box", epilog="Example: companion sample box --game spyrium --out my-cards.zip")
@click.option("--game", required=True, help="Which game's cards.")
@click.option("--catalogue", default="sample", show_default=True, help="A shipped catalogue's name, or a file.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("sample-box.zip"), show_default=True
)
def sample_box(game: str, catalogue: str, out: Path) -> None:
    """Write what the camera must know of the printed sample edition: its catalogue and the faces of its cards.

    As `companion enrol` writes it of a box of your own; `companion play --camera … --box-file FILE` takes it.
    """
    from calibration.box_file import EnrolledBox, box_bytes
    from calibration.sample_editions import EDITIONS
    from companion.app.files.atomic_write import write_whole
    from companion.games import find_game

    draw = _edition(game).faces
    if draw is None:
        drawn = ", ".join(sorted(name for name, edition in EDITIONS.items() if edition.faces is not None))
        raise click.BadParameter(f"faces are drawn for {drawn}; got {game}", param_hint="--game")
    known = find_game(game).load_catalogue(catalogue)
    faces = draw(known, BOX_PX_PER_MM)
    box = EnrolledBox(game, known.text, {face: (one,) for face, one in faces.items()}, cut_at_edges=True)
    write_whole(out, (box_bytes(box, str(out)),), for_all=True)
    click.echo(f"{out}: {len(faces)} faces. The values are invented.")


def _edition(game: str) -> SampleEdition:
    """The sample edition of a game. Raises BadParameter naming the games that have one."""
    from calibration.sample_editions import EDITIONS

    if game not in EDITIONS:
        raise click.BadParameter(f"sample editions are of {', '.join(sorted(EDITIONS))}; got {game}",
                                 param_hint="--game")
    return EDITIONS[game]


COMMANDS = (sample,)
