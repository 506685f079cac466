"""`companion sample print`: the project's own Envyra edition as a PDF to print, cut and play with."""

from __future__ import annotations

from pathlib import Path

import click

from companion.core.errors import DataError

PAPERS = ("a4", "letter")


@click.group()
def sample() -> None:
    """The sample edition: tiles, boards and cards of our own, with invented values."""


@sample.command("print", epilog="Example: companion sample print --paper a4 --out sample.pdf")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="Size of the sheets.")
@click.option("--catalogue", default="sample", show_default=True, help="A shipped catalogue's name, or a file.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("sample-edition.pdf"), show_default=True
)
def print_sheets(paper: str, catalogue: str, out: Path) -> None:
    """Write the printable sheets: every tile, the corner card, the Equilibrium cards and four player boards.

    Print at 100 %; the line at the foot of each page must then be 100 mm long.
    """
    from calibration.sample_edition.sheets import Paper, sample_sheets
    from companion.games.envyra.catalogue import load_catalogue

    content = sample_sheets(load_catalogue(catalogue), Paper[paper.upper()])
    try:
        out.write_bytes(content)
    except OSError as error:
        raise DataError(
            f"cannot write the sheets: {error.strerror}", where=str(out), remedy="Choose another --out."
        ) from None
    click.echo(f"{out}: print at 100 % and check the 100 mm line. The values are invented.")


COMMANDS = (sample,)
