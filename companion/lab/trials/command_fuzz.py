"""Every command with every option, given what nobody means: each must end by itself, with an exit code of ours.

The calls are made in forked children, so that a crash of a library is one finding and not the end of the run.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import click

EXIT_CODES = frozenset({0, 1, 2, 3, 4, 5, 130})
"""Those that `companion --help` names, and that of an interruption."""
LONGEST_S = 60
"""A call that has not ended by then is a finding: what is asked for here is small."""
MEMORY = 3 * 2**30
"""Of address space for a call: one that wants more has read something without an end."""
GOES_ON = frozenset({"serve", "demo", "play", "bench", "monitor"})
"""Commands that serve or measure for long when all is well: they always get one option that they must refuse."""
PRELOADED = (
    "calibration.box_file", "calibration.enrol", "companion.app.dashboard.server.serve", "companion.app.wiring",
    "companion.lab.evaluation.film",
    "companion.table.record.transfer", "vision.spread.tally", "sqlalchemy.dialects.sqlite",
)
"""What most commands load: once here instead of in every child."""
DEEP = 100_000
RUBBISH = (
    "", " ", "0", "-1", "1", "99999999999999999999", "nan", "1e309", "é\u0301", os.fsdecode(b"\xff\xfe"), "a" * 5000,
    "../..", "/", "/dev/null", "/dev/zero", "--", "-", "A", "A:pink", "envyra", "rifts", "spyrium", "en", "sk", "%s",
    "{}", "{0}", "\x01", "r1c1", "virtual:", "replay:.", "browser", "rtsp://127.0.0.1:1/",
    "postgresql://127.0.0.1:1/x", "sqlite:///", "x=y", "variant=basic", "A choose r1c1", "2000-01-01",
)


@dataclass(slots=True)
class FuzzReport:
    """How many calls were made, how they ended, and what must not be: call, and what it did."""

    calls: int = 0
    codes: dict[int, int] = field(default_factory=dict)
    findings: list[tuple[str, str]] = field(default_factory=list)


def leaves(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words that call it."""
    if isinstance(group, click.Group):
        for name in sorted(group.commands):
            yield from leaves(group.commands[name], (*path, name))
    else:
        yield path, group


def odd_files(folder: Path) -> list[str]:
    """Files that are not what a command expects: deep, cut, empty, too promising, no files at all."""
    found: dict[str, bytes] = {
        "empty": b"", "deep.json": b"[" * DEEP, "deep_object.json": b'{"a":' * DEEP, "odd.toml": b"= [[[",
        "text.jsonl": b"x\n",
        "export.jsonl": b'{"format": "companion-record"}\n{"number": 1}\n', "cut.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "wild.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02\0\0\0",
        "cut.jpg": b"\xff\xd8\xff",
        "odd.zip": b"PK\x05\x06", "odd.sqlite": b"SQLite format 3\0" + bytes(90),
        "utf16.toml": "a = 1".encode("utf-16"),
        "null.json": b"null", "number.json": b"1e999", "capture.jsonl": b'{"capture": 1}\n' * 3,
    }
    for name, data in found.items():
        (folder / name).write_bytes(data)
    with zipfile.ZipFile(folder / "deep.zip", "w") as archive:
        archive.writestr("box.json", b"[" * DEEP)
    named = folder / os.fsdecode(b"name\xff.jpg")
    named.write_bytes(b"\xff\xd8\xff\xe0")
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    return [*(str(path) for path in sorted(folder.iterdir()) if path.name != "pipe"), str(folder / "none" / "x")]


def calls(group: click.Command, chance: Random, files: list[str], each: int) -> Iterator[list[str]]:
    """Argument lists: `each` of every command, every option of it used at least once."""
    for path, command in leaves(group):
        wanted = [p for p in command.params if isinstance(p, click.Option)]
        rounds = max(each, len(wanted))
        for number in range(rounds):
            words = list(path)
            chosen = {wanted[number % len(wanted)].name} if wanted else set()
            for parameter in command.params:
                if isinstance(parameter, click.Argument):
                    count = chance.choice((0, 1, 2)) if parameter.nargs == -1 else max(1, parameter.nargs)
                    words += [_value(chance, files) for _ in range(count if chance.random() < 0.95 else 0)]
                elif parameter.name in chosen or chance.random() < 0.15:
                    words.append(parameter.opts[-1])
                    if isinstance(parameter, click.Option) and not (parameter.is_flag or parameter.count):
                        words += [_value(chance, files, parameter.type) for _ in range(max(1, parameter.nargs))]
            yield [*words, "--no-such-option"] if GOES_ON & set(path) else words


def _value(chance: Random, files: list[str], kind: Any = None) -> str:
    if isinstance(kind, click.Choice) and chance.random() < 0.7:
        return str(chance.choice(list(kind.choices)))
    if isinstance(kind, (click.types.IntParamType, click.types.FloatParamType)) and chance.random() < 0.5:
        return str(chance.choice((0, 1, 2, 7, -1)))
    return chance.choice(files) if chance.random() < 0.5 else chance.choice(RUBBISH)


def fuzz(seed: int, each: int, most: int | None = None) -> FuzzReport:
    """Make the calls, or `most` of them drawn by `seed`, and look at how they end.

    Nothing outside a temporary folder is written.
    """
    from companion.app.cli import cli, gather, main

    gather()
    for module in PRELOADED:
        import_module(module)
    report, chance = FuzzReport(), Random(seed)
    with tempfile.TemporaryDirectory(prefix="companion-fuzz-") as name:
        folder = Path(name)
        (folder / "odd").mkdir()
        files = odd_files(folder / "odd")
        every = list(calls(cli, chance, files, each))
        for words in every if most is None else chance.sample(every, min(most, len(every))):
            code, told = _ends(main, words, folder)
            report.calls += 1
            report.codes[code] = report.codes.get(code, 0) + 1
            shown = json.dumps(words)[:300]
            if code not in EXIT_CODES:
                report.findings.append((shown, f"ended with {code}: {told[-400:]}"))
            elif "Traceback" in told:
                report.findings.append((shown, told[-600:]))
    return report


def _ends(main: Any, words: list[str], folder: Path) -> tuple[int, str]:
    """Exit code (negative: the signal that ended it) and what it wrote to stderr."""
    told = folder / "stderr"
    child = os.fork()
    if child == 0:
        _be_the_call(main, words, folder, told)
    status = os.waitpid(child, 0)[1]
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return code, told.read_text(encoding="utf-8", errors="replace") if told.exists() else ""


def _be_the_call(main: Any, words: list[str], folder: Path, told: Path) -> None:
    """What the child does; it never returns."""
    import sys
    import traceback

    code = 70  # of a program's own fault
    try:
        signal.alarm(LONGEST_S)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.chdir(folder)
        os.environ.update(COMPANION_DATA_DIR=str(folder / "data"), HOME=str(folder), COLUMNS="80")
        for descriptor, path, how in (
            (0, "/dev/null", os.O_RDONLY), (1, "/dev/null", os.O_WRONLY),
            (2, str(told), os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            os.dup2(os.open(path, how, 0o600), descriptor)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115 - until the end
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115
        sys.argv = ["companion", *words]
        main()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(bool(error.code))
    except BaseException:  # noqa: BLE001 - it is what is looked for
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
