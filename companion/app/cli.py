"""The `companion` command: gathers the subcommands and turns errors into messages and exit codes."""

from __future__ import annotations

import errno
import io
import os
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TextIO

import click

from companion.app import commands
from companion.app.files.paths import config_file
from companion.app.files.settings import load_settings
from companion.app.machine.freed_memory import bound_heaps
from companion.app.machine.one_thread import bound_blas
from companion.core.errors import CompanionError
from companion.core.game_code import game_code
from companion.games import add_games

PACKAGES_OF_THE_HUB = ("prometheus_client", "psycopg", "highspy")
"""Modules that only the extra `hub` of pyproject.toml installs."""

HOW_TO_ADD_THE_HUB = "In the companion's environment: `pip install 'psycopg[binary]' prometheus-client highspy`."

EXIT_CODES = "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 unusable data file; 4 damaged record; 5 device trouble."


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tabletop-companion")
def cli() -> None:
    """Referee, scorer and provable bag for tabletop games on a real table."""
    folder = load_settings(config=config_file()).games_dir
    if folder:
        add_games(Path(folder).expanduser())


def gather() -> None:
    """Register every command of `companion.app.commands`; a name that is taken twice is a programming error."""
    for module in sorted(m.name for m in walk_packages(commands.__path__, f"{commands.__name__}.") if not m.ispkg):
        for command in import_module(module).COMMANDS:
            if cli.commands.get(command.name, command) is not command:
                raise RuntimeError(f"two commands are called {command.name!r}: see {module}")
            cli.add_command(command)


def main() -> None:
    """Run the command line; a CompanionError becomes one message on stderr and its exit code."""
    bound_blas()
    bound_heaps()
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # of a camera that is away it warns at every try; we say it once
    for stream in (sys.stdout, sys.stderr):
        _write_all_letters(stream)
    gather()
    try:
        with game_code():
            cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`). Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        click.echo(f"companion: {world_failed(error)}", err=True)
        sys.exit(CompanionError.exit_code)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES_OF_THE_HUB:
            raise
        click.echo(f"companion: this needs the package {error.name}. {HOW_TO_ADD_THE_HUB}", err=True)
        sys.exit(CompanionError.exit_code)


def world_failed(error: OSError) -> CompanionError:
    """A disk or folder that did not do what no command has a message of its own for."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "Make room there, then try again." if full else "Choose another place, or see to its rights."
    return CompanionError(error.strerror or str(error), where=str(error.filename or ""), remedy=remedy)


def _write_all_letters(stream: TextIO) -> None:
    """Let a terminal that knows few letters show the others by their number, in the place of a traceback."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
