"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from companion.core.errors import CompanionError


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write `path` so that a failure on the way leaves what was there before. Raises CompanionError on a full disk."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent or Path())
    except OSError as error:
        raise CompanionError(f"cannot be written: {error.strerror}", where=str(path)) from error
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as target:
            for chunk in chunks:
                target.write(chunk)
            target.flush()
            os.fsync(target.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise CompanionError(f"cannot be written: {error.strerror}", where=str(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)
