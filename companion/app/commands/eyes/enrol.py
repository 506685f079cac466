"""`companion enrol`: learns a box's tiles from scans or camera pictures into one portable file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.core.errors import DataError
from companion.games import DEFAULT_GAME

if TYPE_CHECKING:
    from calibration.enrol import TileDraft


@click.command(
    epilog="Example: companion enrol scans/ --out mybox.zip --id mybox --title 'My box'",
    help="""Learn the tiles of a box once.

    FOLDER holds flat scans, one a tile, named ID.png; or a set with layout.json and camera pictures of tiles laid out
    (enrol/tiles-N.jpg with their json). What can be read off the tiles (theme, symbol, points, cube and restriction
    icons) is proposed tile by tile: Enter accepts, "vp=3 requires=water" corrects. With --catalogue the values come
    from that file instead, and of another --game they always do: one scan of cards that look the same is enough.
    Writes catalogue and pictures into one file. Exit code 3 when something is missing.""",
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The box file to write.")
@click.option("--game", default=DEFAULT_GAME, show_default=True, help="Whose pieces; any other one needs --catalogue.")
@click.option("--catalogue", help="A catalogue with these tiles: a file or a shipped one's name.")
@click.option("--id", "name", default="my-box", show_default=True, help="Id of the new catalogue.")
@click.option("--title", default="My box", show_default=True, help="Title of the new catalogue.")
@click.option("--yes", is_flag=True, help="Accept every proposal.")
def enrol(folder: Path, out: Path, game: str, catalogue: str | None, name: str, title: str, yes: bool) -> None:
    """Learn the tiles of a box once."""
    from calibration.box_file import EnrolledBox, box_bytes
    from calibration.enrol import READ_OFF, catalogue_text, check_catalogue, drafts, pictures_of, tiles_of
    from companion.app.files.atomic_write import write_whole
    from companion.games import find_game
    from vision.faces.learning import learn_faces

    if game != READ_OFF:
        _enrol_faces(game, catalogue, folder, out)
        return
    references = pictures_of(folder)
    if catalogue is None:
        proposed = drafts(references)
        text = catalogue_text(name, title, proposed if yes else [_confirmed(tile) for tile in proposed])
        try:
            check_catalogue(text)
        except DataError as error:
            click.echo(f"companion: the file is written, but a game needs this mended first: {error}", err=True)
    else:
        known = find_game(game).load_catalogue(catalogue)
        missing = [tile.id for tile in known.tiles if tile.id not in references]
        if missing:
            raise DataError(f"no picture of {', '.join(missing)}", where=str(folder), remedy="Scan these tiles too")
        text = catalogue_text(name, title, tiles_of(known)) if catalogue.endswith(".json") else known.text
    for group in learn_faces(references).same:
        click.echo(f"companion: these tiles look the same to the camera: {', '.join(group)}", err=True)
    box = EnrolledBox(game, text, references)
    write_whole(out, (box_bytes(box, str(out)),), for_all=True)
    click.echo(f"{out}: {len(references)} tiles")


def _enrol_faces(game: str, catalogue: str | None, folder: Path, out: Path) -> None:
    """Write the box of a game whose values are in a catalogue: every face of it must be in `folder`."""
    from calibration.box_file import EnrolledBox, box_bytes
    from calibration.enrol import pictures_of
    from companion.app.files.atomic_write import write_whole
    from companion.core.types import SeatInfo, Setup
    from companion.games import find_game

    if catalogue is None:
        raise click.UsageError(f"of {game} nothing is read off the pictures: give --catalogue")
    spec = find_game(game)
    known = spec.load_catalogue(catalogue)
    seats = tuple(SeatInfo(colour, colour) for colour in spec.colours[: spec.min_seats])
    rules = spec.make_rules(Setup(game, seats, known.id), known)
    looks = {rules.same_face(face): pictures for face, pictures in pictures_of(folder).items()}
    missing = sorted({rules.same_face(face) for face in rules.faces()} - looks.keys())
    if missing:
        raise DataError(f"no picture of {', '.join(missing)}", where=str(folder), remedy="Scan these too")
    box = EnrolledBox(game, known.text, {face: looks[rules.same_face(face)] for face in rules.faces()})
    write_whole(out, (box_bytes(box, str(out)),), for_all=True)
    click.echo(f"{out}: {len(rules.faces())} faces")


def _confirmed(tile: TileDraft) -> TileDraft:
    """The tile after the person has accepted it, correction by correction."""
    from calibration.enrol import corrected, described

    while True:
        answer = click.prompt(f"{tile.id}: {described(tile)}\n  Enter or corrections", default="", show_default=False)
        if not answer.strip() and tile.vp is not None:
            return tile
        try:
            tile = corrected(tile, answer)
        except DataError as error:
            click.echo(f"companion: {error}", err=True)


COMMANDS: tuple[click.Command, ...] = (enrol,)
