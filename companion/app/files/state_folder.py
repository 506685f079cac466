"""The data folder below the folder that a service manager gives: earlier, that folder was the data folder itself.

A restore exchanges two folders, for which it must be allowed to write beside the data folder: the parent of a service's
own folder is root's, and a volume of a container cannot be renamed. What an earlier companion left is moved one entry
at a time into a folder that takes its name when all is in it. Killed at any moment, the next start goes on with it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.app.files import paths
from companion.app.files.backup import STORE
from companion.app.files.restore import check_unused, sync_folder
from companion.app.files.settings import Settings
from companion.core.errors import CompanionError, DataError

STATE_VARIABLE = "STATE_DIRECTORY"
"""Set by systemd for a unit with StateDirectory=, and in our container."""
MOVING = ".data-being-moved"
LEFT_BY_SERVE = (STORE, "web")
"""One of them is in every folder in which the dashboard was served; a record may be on a database server."""
STAYS = frozenset({".config", ".cache", ".local", "lost+found"})
"""The service's user has its home in the same folder; a volume has a folder of its own."""
BOXES = "boxes"
"""Files that options of `serve` name by their place: a link stays there."""


def move_into_data_folder(settings: Settings, state: str) -> Path | None:
    """Move what lies in `state` itself into the data folder below it; None when nothing is to be moved.

    `state`: the folder of the service manager, "" for none. Nothing may be open yet. Raises DataError when there is
    something in both places, CompanionError when the record is in use or the disk fails.
    """
    folder = paths.data_dir(settings).absolute()
    own = Path(state).absolute()
    moving = own / MOVING
    if not state or folder.parent != own or not any(
        (own / name).exists() for name in (*LEFT_BY_SERVE, MOVING)
    ):
        return None
    _check_free(folder)
    check_unused(replace(settings, data_dir=str(own), store=""))
    link, leads_to = own / BOXES, Path(folder.name) / BOXES
    try:
        moving.mkdir(mode=0o700, exist_ok=True)
        linked = link.is_symlink() and link.readlink() == leads_to
        for path in sorted(own.iterdir()):
            if path == moving or path.name in STAYS or (linked and path == link):
                continue
            _check_free(moving / path.name)
            path.rename(moving / path.name)
        if (moving / BOXES).exists() and not linked:
            link.symlink_to(leads_to)
        sync_folder(moving)
        sync_folder(own)
        moving.rename(folder)
        sync_folder(own)
    except OSError as error:
        raise CompanionError(f"the data cannot be moved into {folder}: {error}", where=str(own)) from error
    return folder


def _check_free(place: Path) -> None:
    if place.exists():
        raise DataError(
            "an earlier companion left its data above, and there is something here too", where=str(place),
            remedy="Rename one of the two, then start again.",
        )

