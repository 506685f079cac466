"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from companion.core.errors import CompanionError

READABLE = 0o644


def write_whole(path: Path, chunks: Iterable[bytes], *, for_all: bool = False) -> None:
    """Write `path` so that a failure on the way leaves what was there before. Raises CompanionError on a full disk.

    The file is for its owner alone; `for_all`: who else has an account here, the service for one, may read it.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent or Path())
    except OSError as error:
        raise _failed(path, error) from error
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as target:
            for chunk in chunks:
                target.write(chunk)
            target.flush()
            if for_all:
                Path(name).chmod(READABLE)
            os.fsync(target.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise _failed(path, error) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _failed(path: Path, error: OSError) -> CompanionError:
    message = f"cannot be written: {error.strerror}"
    return CompanionError(message, where=str(path), remedy="Choose another place with room that you may write to.")
