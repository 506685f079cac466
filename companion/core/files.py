"""Files that people name: read only when they are files, and of a size that can be meant."""

from __future__ import annotations

import errno
import json
import stat
from pathlib import Path
from typing import Any

MOST_BYTES = 64 * 2**20
"""Of a file that is read as a whole: the export of a record of 10,000 acts has some 10 MB."""


def read_bytes(path: Path) -> bytes:
    """What stands in a file. Raises OSError for what is none (a device or a pipe never ends) and for one too large."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "expected a file", str(path))
    if found.st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"expected at most {MOST_BYTES // 2**20} MB", str(path))
    return path.read_bytes()


def read_text(path: Path) -> str:
    """The UTF-8 text of a file. Raises OSError as `read_bytes`, UnicodeDecodeError for what is no such text."""
    return read_bytes(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def parse_json(text: str | bytes) -> Any:
    """What a JSON text holds. Raises ValueError for what is none, and for one nested deeper than any is meant to be."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
