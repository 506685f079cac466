"""The `companion` command: gathers the subcommands and turns errors into messages and exit codes."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import click

from companion.app import commands
from companion.app.files.freed_memory import bound_heaps
from companion.app.files.one_thread import bound_blas
from companion.app.files.paths import config_file
from companion.app.files.settings import load_settings
from companion.core.errors import CompanionError
from companion.games import add_games

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
    gather()
    try:
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


if __name__ == "__main__":
    main()
