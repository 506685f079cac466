"""`companion install-service`, `uninstall-service` and `wait-for-pages`: started with the machine, and its screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.core.errors import CompanionError, DataError, DeviceError

if TYPE_CHECKING:
    from companion.app.machine.service_units import ServicePlan

HOMES = (Path("/home"), Path("/root"))
"""Where the service's own user may not look, and is kept out of by its unit."""

ASK_S = 1.0
"""Between two questions whether the pages answer."""

INTO = click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path),
    help="Write below this folder instead of /, and start nothing: for the image of a card.",
)
USER = click.option("--user", is_flag=True, help="For yourself alone, without root.")


@click.command("install-service")
@USER
@click.option("--kiosk", is_flag=True, help="Show the table on this machine's screen (needs cage, xwayland, chromium).")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1024, 65535))
@click.option("--https-port", default=8443, show_default=True, type=click.IntRange(1024, 65535))
@click.option("--box", default="", metavar="auto|DEVICE|virtual:", help="The button box.")
@click.option("--camera", default="", metavar="0|DEVICE|browser|rtsp://…", help="The camera.")
@click.option("--box-file", type=click.Path(path_type=Path), help="What is known of your tiles.")
@click.option("--print", "printed", is_flag=True, help="Show the unit and change nothing.")
@INTO
def install_service(
    user: bool, kiosk: bool, port: int, https_port: int, box: str, camera: str, box_file: Path | None, printed: bool,
    into: Path | None,
) -> None:
    """Start the dashboard with the machine, by systemd, and again whenever it ends.

    It runs as a user of its own (companion) with its data in /var/lib/tabletop-companion/data and access to nothing but
    its folder, the network, cameras and serial ports. With --user it runs as you, with your data folder.

    \b
    Examples:
      sudo companion install-service --box auto --camera 0 --kiosk
      companion install-service --user --print
    """
    from companion.app.machine import service_units as units

    if user and kiosk:
        raise click.UsageError("--kiosk needs a user and a console of its own: leave --user out")
    options = ["--https-port", str(https_port)]
    for name, value in (("--box", box), ("--camera", camera), ("--box-file", box_file and box_file.absolute())):
        options += [name, str(value)] if value else []
    plan = units.ServicePlan(_program(), tuple(options), port, kiosk)
    if not user and not printed and into is None:
        _check_reach(plan, box_file)
        if kiosk:
            _check_screen()
    files = _files(plan, user=user, kiosk=kiosk, into=into)
    if printed:
        for path, text in files.items():
            click.echo(f"# {path}\n{text}")
        return
    for path, text in files.items():
        _write(path, text)
        click.echo(f"Written: {path}")
    if into is not None:
        return
    manager = ["systemctl", "--user"] if user else ["systemctl"]
    if not user:
        _run(["systemd-sysusers"])
        if kiosk:
            _run(["systemd-tmpfiles", "--create"])
    _run([*manager, "daemon-reload"])
    _run([*manager, "enable", units.SERVICE])
    _run([*manager, "restart", units.SERVICE])  # an older one ends, and one with other options begins
    if kiosk:
        _run([*manager, "enable", units.KIOSK])
        _run([*manager, "restart", units.KIOSK])
    journal = f"journalctl {'--user ' if user else ''}-u {units.SERVICE}"
    click.echo(f"Running: http://127.0.0.1:{port}/table. Addresses and the referee's PIN: {journal}")
    if user:
        click.echo("It begins when you log in; for the start of the machine: loginctl enable-linger")


@click.command("uninstall-service")
@USER
@INTO
def uninstall_service(user: bool, into: Path | None) -> None:
    """Stop the dashboard and start it with the machine no more. The data folder stays as it is.

    \b
    Example:
      sudo companion uninstall-service
    """
    from companion.app.machine import service_units as units

    plan = units.ServicePlan(Path("/"), (), 0)
    there = [path for path in _files(plan, user=user, kiosk=not user, into=into) if path.exists()]
    if not there:
        click.echo("No service of the companion is installed.")
        return
    manager = ["systemctl", "--user"] if user else ["systemctl"]
    for path in there:
        if into is None and path.suffix == ".service":
            _run([*manager, "disable", "--now", path.name])
    for path in there:
        try:
            path.unlink()
        except OSError as error:
            raise _not_allowed(path, error) from error
        click.echo(f"Removed: {path}")
    if into is None:
        _run([*manager, "daemon-reload"])
    click.echo(f"Kept: {'your data folder' if user else f'/var/lib/{units.STATE} and the user {units.USER}'}.")


@click.command("wait-for-pages")
@click.argument("url", default="http://127.0.0.1:8000/table")
@click.option("--seconds", default=300, show_default=True, type=click.IntRange(1, 3600), help="How long at most.")
def wait_for_pages(url: str, seconds: int) -> None:
    """Wait until the dashboard answers at URL; exit code 5 when it never does. For a screen that starts with it.

    \b
    Example:
      companion wait-for-pages && chromium --kiosk http://127.0.0.1:8000/table
    """
    import time
    import urllib.error
    import urllib.request

    end, trouble = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=min(10, seconds)):
                return
        except (OSError, ValueError) as error:
            if isinstance(error, urllib.error.HTTPError) or not isinstance(error, OSError):
                raise DeviceError(f"no page of the companion ({error})", where=url, remedy="Check it.") from error
            trouble = str(error)
        time.sleep(ASK_S)
    raise DeviceError(
        f"no answer within {seconds} s ({trouble})", where=url,
        remedy="Look at `systemctl status tabletop-companion`.",
    )


def _program() -> Path:
    """The `companion` command that is running, or the one beside the Python that runs it."""
    beside = Path(sys.executable).with_name("companion")
    found = beside if beside.exists() else Path(shutil.which(sys.argv[0]) or "")
    if not found.is_file():
        raise DataError(
            "the `companion` command is not found", where=str(beside), remedy="Install the wheel: docs/guide/install.md"
        )
    return found.absolute()


def _check_reach(plan: ServicePlan, box_file: Path | None) -> None:
    """Refuse what the service's own user could not read."""
    python = Path(sys.executable).resolve()  # of an environment made by pyenv or uv it lies in a home
    for path in (plan.program, plan.program.resolve(), python, *([box_file.absolute()] if box_file else [])):
        if any(path.is_relative_to(home) for home in HOMES):
            raise DataError(
                "the service's own user cannot look into homes", where=str(path),
                remedy="Install with the system's Python into /opt (docs/guide/install.md), or use --user.",
            )


def _check_screen() -> None:
    """Refuse a screen that could not start for want of a program."""
    from companion.app.machine import service_units as units

    missing = {path: package for path, package in units.SCREEN.items() if not os.access(path, os.X_OK)}
    if missing:
        raise DataError(
            f"the screen needs {', '.join(missing)}", where="--kiosk",
            remedy=f"sudo apt install {' '.join(missing.values())}",
        )


def _files(plan: ServicePlan, *, user: bool, kiosk: bool, into: Path | None) -> dict[Path, str]:
    from companion.app.machine import service_units as units

    root = into or Path("/")
    if user:
        config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        folder = (root / config.relative_to("/") if into else config) / "systemd" / "user"
        return {folder / units.SERVICE: units.user_unit(plan)}
    etc = root / "etc"
    files = {
        etc / "sysusers.d" / "tabletop-companion.conf": units.users_file(kiosk=kiosk),
        etc / "systemd" / "system" / units.SERVICE: units.service_unit(plan),
    }
    if kiosk:
        files[etc / "tmpfiles.d" / "tabletop-companion.conf"] = units.folders_file()
        files[etc / "systemd" / "system" / units.KIOSK] = units.kiosk_unit(plan)
        files[etc / "polkit-1" / "rules.d" / "60-tabletop-companion.rules"] = units.power_rule()
    return files


def _write(path: Path, text: str) -> None:
    from companion.app.files.atomic_write import write_whole

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [text.encode("utf-8")])
        path.chmod(0o644)
    except (OSError, CompanionError) as error:
        raise _not_allowed(path, error) from error


def _not_allowed(path: Path, error: Exception) -> CompanionError:
    said = error.strerror if isinstance(error, OSError) else getattr(error, "message", error)
    return CompanionError(f"{said}", where=str(path), remedy="Run it with sudo, or use --user.")


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CompanionError(
            f"{' '.join(command)} failed: {error}", remedy="This needs systemd; without it start `companion serve`."
        ) from error


COMMANDS = (install_service, uninstall_service, wait_for_pages)
