"""Runs the `companion` command in this process: arguments and standard input in, output and exit code out."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.app.cli import main


@dataclass(frozen=True)
class Run:
    """How a run ended."""

    code: int
    out: str
    err: str


class Companion:
    """A companion whose files all lie in one folder."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("COMPANION_", "XDG_"))}
        empty = folder / "no-settings.toml"
        empty.write_text("", encoding="utf-8")
        own = {"COMPANION_DATA_DIR": str(folder), "COMPANION_CONFIG": str(empty), "HOME": str(folder), "COLUMNS": "120"}
        self.environment = kept | own | variables

    def __call__(self, *arguments: str, stdin: str = "") -> Run:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        code: Any = 0
        with (
            patch.dict(os.environ, self.environment, clear=True),
            patch.object(sys, "argv", ["companion", *arguments]),
            patch.object(sys, "stdin", io.StringIO(stdin)),
            patch.object(sys, "stdout", out),
            patch.object(sys, "stderr", err),
        ):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]  # type: ignore[attr-defined]
        return Run(int(code or 0), *texts)
