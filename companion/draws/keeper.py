"""Where the host's secret waits for the end of the game: one private file a bag, outside the record."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from companion.core.errors import DataError
from companion.draws.generator import SECRET_BYTES

SESSION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


class SecretFiles:
    """Secrets in `folder` (mode 0700), each file mode 0600 and on the disk before its commitment is published."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, session: str, bag: int) -> bytes:
        """A fresh secret of 32 bytes, stored; the stored one when a crash came before its commitment was recorded.

        Raises DataError when the file cannot be written or is damaged.
        """
        path = self._path(session, bag)
        try:
            if not path.exists():
                self._write(path, secrets.token_hex(SECRET_BYTES))
        except OSError as error:
            raise DataError(f"the bag's secret cannot be stored: {error.strerror}", where=str(path)) from error
        return self.read(session, bag)

    def read(self, session: str, bag: int) -> bytes:
        """The stored secret. Raises DataError when it is missing or damaged."""
        path = self._path(session, bag)
        remedy = "Restore it from a backup of the data folder, or go on with the physical bag."
        try:
            text = path.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"the bag's secret cannot be read: {error}", where=str(path), remedy=remedy) from error
        if not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}\n", text):
            raise DataError(
                f"expected {2 * SECRET_BYTES} hex digits, got {len(text)} other characters",
                where=str(path),
                remedy=remedy,
            )
        return bytes.fromhex(text.strip())

    def forget(self, session: str, bag: int) -> None:
        """Remove a secret that the record has revealed; a missing file is no error."""
        self._path(session, bag).unlink(missing_ok=True)

    def _write(self, path: Path, text: str) -> None:
        # the real name appears only when the whole file is on the disk, so a crash leaves no half a secret
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
        _sync_folder(self.folder)

    def _path(self, session: str, bag: int) -> Path:
        if not SESSION_NAME.fullmatch(session):
            raise DataError(f"{session!r} cannot name a file of a secret")
        return self.folder / f"{session}.{bag}.secret"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
