"""Backup and restore on pages: a file that is handed in is tried, kept, and put in place when the program begins anew.

While the dashboard runs it has the record open, so that nothing can take its place. What is to be restored waits in the
data folder under a name of its own; the next start puts it in place before it opens anything. Killed at any moment, the
next start finds the old folder and does it again, or the new one.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from companion.app.files import paths
from companion.app.files.backup import write_backup
from companion.app.files.restore import Restored, restore
from companion.app.files.settings import Settings
from companion.core.errors import CompanionError, DataError
from web.ports.upkeep import BackupHolds

INCOMING, NEXT, REFUSED = ".incoming-backup.zip", ".restore-next.zip", ".restore-refused.zip"
"""Names with a leading dot are in no backup."""
MOST_BYTES = 8 * 2**30
"""Evidence pictures of some hundred evenings."""
NOTHING_HANDED_IN = "no backup was handed in"


class Backups:
    """See `web.ports.upkeep.BackupPort`. Calls from any thread."""

    def __init__(self, settings: Settings, config: Callable[[], Path], begin_anew: Callable[[], None]) -> None:
        """`config`: the file of this machine's settings; `begin_anew`: end this program, and start it again."""
        self._settings, self._config, self._begin_anew = settings, config, begin_anew
        self._lock = threading.Lock()
        self._incoming = paths.data_dir(settings) / INCOMING

    def make(self) -> Path:
        """A fresh backup; whoever asked for it removes its folder."""
        folder = Path(tempfile.mkdtemp(prefix="companion-backup-"))
        file = folder / "companion-backup.zip"
        try:
            write_backup(self._settings, file, keys=False)  # the referee need not be the machine's owner
        except BaseException:
            file.unlink(missing_ok=True)
            folder.rmdir()
            raise
        return file

    def take(self, at: int, part: bytes) -> int:
        """A part of a backup that is handed in."""
        with self._lock:
            there = self._incoming.stat().st_size if self._incoming.exists() else 0
            if at not in (0, there):
                raise ValueError(f"expected bytes from {there} on, got them from {at}")
            if at + len(part) > MOST_BYTES:
                raise DataError(f"a backup has at most {MOST_BYTES // 2**30} GB", where="backup")
            try:
                self._incoming.parent.mkdir(parents=True, exist_ok=True)
                with self._incoming.open("ab" if at else "wb") as target:
                    target.write(part)
            except OSError as error:
                raise CompanionError(f"cannot be written: {error.strerror}", where=str(self._incoming)) from error
            return at + len(part)

    def holds(self) -> BackupHolds:
        """What was handed in, tried as whole as a restore would."""
        with self._lock:
            if not self._incoming.exists():
                raise DataError(NOTHING_HANDED_IN, where="backup", remedy="Choose the file once more.")
            found = restore(self._settings, self._incoming, config=self._config(), only_try=True, by_owner=False)
            return BackupHolds(found.sessions, len(found.parts), sum(part.size for part in found.parts))

    def restore(self) -> None:
        """Put it in place at the next start, which is now."""
        self.holds()
        with self._lock:
            self._incoming.replace(self._incoming.with_name(NEXT))
        self._begin_anew()

    def forget(self) -> None:
        """Remove what was handed in."""
        with self._lock:
            self._incoming.unlink(missing_ok=True)


def restore_what_waits(settings: Settings, config: Path) -> Restored | None:
    """Put a backup in place that a page left for this start; None when none waits. Nothing may be open yet.

    Raises as `restore`; the backup is then set aside, and the next start goes on without it.
    """
    folder = paths.data_dir(settings).absolute()
    waiting = folder / NEXT
    if not waiting.exists():
        return None
    try:
        done = restore(settings, waiting, config=config, by_owner=False)
    except CompanionError:
        waiting.replace(waiting.with_name(REFUSED))
        raise
    if done.kept is not None:
        (done.kept / NEXT).unlink(missing_ok=True)  # it came along with the old folder
    return done
