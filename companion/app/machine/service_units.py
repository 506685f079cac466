"""The units that start the companion with the machine: pure texts from a plan, nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import DataError

SERVICE = "tabletop-companion.service"
KIOSK = "tabletop-companion-kiosk.service"
USER, KIOSK_USER = "companion", "companion-kiosk"
STATE = "tabletop-companion"
"""The service's own folder below /var/lib, its user's home."""
DATA = "data"
"""The data folder in it: a restore writes beside the data folder."""

RESTART_S = 2
STOP_S = 20
"""The server ends within ten seconds; then the record is on the disk anyway."""
SCREEN = {"/usr/bin/cage": "cage", "/usr/bin/Xwayland": "xwayland", "/usr/bin/chromium": "chromium"}
"""What the screen needs, and the package of Debian that has it. Debian's cage ends at once without Xwayland, which its
package does not ask for."""

WAIT_S = 300
"""A small board computer that checks its card at the start takes a few minutes at worst."""

# Only what a referee at a table needs: its own folder, the network, cameras and serial ports.
HARDENING = """\
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
DevicePolicy=closed
DeviceAllow=char-ttyUSB rw
DeviceAllow=char-ttyACM rw
DeviceAllow=char-video4linux rw
UMask=0077
"""

# What a user's own manager can enforce without a user of its own.
USER_HARDENING = """\
NoNewPrivileges=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
UMask=0077
"""


SWITCHED_OFF_ON_PAGES = "Environment=COMPANION_SHUT_DOWN=page\n"
"""A small board computer without a keyboard is switched off on the referee's page."""


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """What is to be started: `program` is the absolute path of the `companion` command, `options` those of `serve`."""

    program: Path
    options: tuple[str, ...]
    port: int
    kiosk: bool = False


def service_unit(plan: ServicePlan) -> str:
    """The unit of the machine's own manager: a user and a data folder of its own, started again when it ends."""
    return _service(
        plan,
        f"User={USER}\nSupplementaryGroups=dialout video\nStateDirectory={STATE}\nStateDirectoryMode=0700\n"
        f"WorkingDirectory=/var/lib/{STATE}\nEnvironment=HOME=/var/lib/{STATE}\n"
        f"Environment=COMPANION_DATA_DIR=/var/lib/{STATE}/{DATA}\n"
        f"{SWITCHED_OFF_ON_PAGES if plan.kiosk else ''}{HARDENING}",
        "Wants=network-online.target\nAfter=network-online.target\n",
        "multi-user.target",
    )


def user_unit(plan: ServicePlan) -> str:
    """The unit of a person's own manager: runs as that person, with that person's data folder and settings."""
    return _service(plan, USER_HARDENING, "", "default.target")


def kiosk_unit(plan: ServicePlan) -> str:
    """The unit of the screen: a full-screen browser on the first console that waits for the pages.

    The compositor `cage` shows one program and never blanks the screen.
    """
    url = f"http://127.0.0.1:{plan.port}/table"
    wait = command_line([str(plan.program), "wait-for-pages", url, "--seconds", str(WAIT_S)])
    browser = command_line([
        "/usr/bin/cage", "--", "/usr/bin/chromium", "--kiosk", "--no-first-run", "--noerrdialogs",
        "--disable-session-crashed-bubble", "--password-store=basic", "--ozone-platform=wayland", url,
    ])
    return (
        "[Unit]\nDescription=The table view of the tabletop companion on this machine's screen\n"
        f"Wants={SERVICE}\nAfter={SERVICE} systemd-user-sessions.service getty@tty1.service\n"
        "Conflicts=getty@tty1.service\nStartLimitIntervalSec=0\n\n"
        f"[Service]\nUser={KIOSK_USER}\nPAMName=login\nTTYPath=/dev/tty1\nTTYReset=yes\nTTYVHangup=yes\n"
        "TTYVTDisallocate=yes\nStandardInput=tty-fail\nUtmpIdentifier=tty1\nUtmpMode=user\n"
        f"TimeoutStartSec={WAIT_S + STOP_S}\nExecStartPre={wait}\nExecStart={browser}\n"
        f"Restart=always\nRestartSec={RESTART_S}\n\n"
        "[Install]\nWantedBy=graphical.target\n"
    )


def users_file(*, kiosk: bool) -> str:
    """Who is made for the units, for `systemd-sysusers`."""
    text = (
        f'u {USER} - "Tabletop companion" /var/lib/{STATE}\n'
        f"m {USER} dialout\nm {USER} video\n"
    )
    if kiosk:
        text += f'u {KIOSK_USER} - "Screen of the tabletop companion" /var/lib/{KIOSK_USER} /bin/sh\n'
        text += f"m {KIOSK_USER} video\nm {KIOSK_USER} render\nm {KIOSK_USER} input\n"
    return text


def power_rule() -> str:
    """What lets the service's user, and nobody else by this, switch the machine off: a rule for polkit."""
    return (
        "polkit.addRule(function(action, subject) {\n"
        '    if (action.id.indexOf("org.freedesktop.login1.power-off") === 0 && subject.user === "' + USER + '")\n'
        "        return polkit.Result.YES;\n"
        "});\n"
    )


def folders_file() -> str:
    """The home of the screen's user, for `systemd-tmpfiles`: the browser keeps its profile there."""
    return f"d /var/lib/{KIOSK_USER} 0700 {KIOSK_USER} {KIOSK_USER} -\n"


def command_line(words: Sequence[str]) -> str:
    """`words` as a line of ExecStart, which has its own quotes, `%` for specifiers and `$` for variables.

    Raises DataError for a control character, which would begin another line of the unit.
    """
    for word in words:
        if any(ord(character) < ord(" ") for character in word):
            raise DataError(f"expected text on one line, got {word!r}", remedy="Give the option without it.")
    return " ".join('"' + _escaped(word) + '"' for word in words)


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")


def _service(plan: ServicePlan, own: str, needs: str, wanted_by: str) -> str:
    start = command_line([str(plan.program), "serve", "--port", str(plan.port), *plan.options])
    return (
        f"[Unit]\nDescription=Tabletop companion\n{needs}StartLimitIntervalSec=0\n\n"
        f"[Service]\nType=exec\nExecStart={start}\nRestart=always\nRestartSec={RESTART_S}\nTimeoutStopSec={STOP_S}\n"
        f"Environment=PYTHONUNBUFFERED=1\n{own}\n[Install]\nWantedBy={wanted_by}\n"
    )
