"""The box files of a data folder: made here or elsewhere, checked before they are kept, found again by their game."""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from calibration.box_file import COPY_AGAIN, EnrolledBox, read_box, write_box
from companion.app.files.atomic_write import write_whole
from companion.core.errors import CompanionError, DataError
from companion.core.messages import Message
from companion.games import find_game, game_names

ADD_THE_GAME = "Put the game among those of this companion first, then load the file once more."


@dataclass(frozen=True, slots=True)
class SavedBoxes:
    """The boxes in a folder, which is made when the first one comes. Calls that write come one at a time."""

    folder: Path

    def data(self, name: str) -> bytes:
        """The file of a saved box. Raises DataError when there is none of that name."""
        path = self.folder / name
        if path.parent != self.folder or path.suffix != ".zip" or not path.is_file():
            raise DataError("there is no box of this name", where=name)
        return path.read_bytes()

    def newest_of(self, game: str) -> str:
        """The name of the newest box of a game, "" for none."""
        found = sorted(self.folder.glob("*.zip"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in found:
            try:
                if read_box(path).game == game:
                    return path.name
            except CompanionError:
                continue  # the set-up page says so of a damaged one
        return ""

    def checked(self, name: str, data: bytes, game: str = "") -> EnrolledBox:
        """The box in a file that was made elsewhere; `game`: what it must be of, "" for any. Raises DataError saying
        what was expected, what came and what to do."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".loaded-{threading.get_ident()}"
        try:
            write_whole(fresh, [data])
            box = read_box(fresh)
        except DataError as error:
            raise DataError(error.message, where=name, remedy=error.remedy) from error
        finally:
            fresh.unlink(missing_ok=True)
        if box.game not in game_names():
            unknown = Message("it is a box of {game}, a game that this companion does not know", game=box.game)
            raise DataError(unknown, where=name, remedy=ADD_THE_GAME)
        if game and box.game != game:
            want, got = find_game(game).title, find_game(box.game).title
            raise DataError(Message("expected a box of {want}, got a box of {got}", want=want, got=got), where=name,
                            remedy=Message("Choose {got} on this page, then load the file once more.", got=got))
        try:
            find_game(box.game).load_catalogue(box.catalogue)
        except DataError as error:
            wrong = Message("the list of pieces in the box file is not as this companion expects it: {why}",
                            why=error.message)
            raise DataError(wrong, where=name, remedy=COPY_AGAIN) from error
        return box

    def put(self, name: str, box: EnrolledBox) -> Path:
        """Write a box under a name that no box of another game has; where it is."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path, number = self.folder / f"{name}.zip", 1
        while path.exists() and read_box(path).game != box.game:
            number += 1
            path = self.folder / f"{name}-{number}.zip"
        fresh = self.folder / f".{path.name}.new"
        try:
            write_box(fresh, box)
            write_whole(path, [fresh.read_bytes()])
        finally:
            fresh.unlink(missing_ok=True)
        return path


def file_name(title: str) -> str:
    """A title as part of a file's name: letters without accents, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:40]
