"""What the doctor asks of this machine: USB devices, device files, programs, udev rules; from any root folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import DataError

OURS = "companion"  # the name of this project's command
VIRTUAL_BOX = "companion box virtual"


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """A device on the USB bus, whether or not a driver has made a port of it."""

    vendor: int
    product: int


@dataclass(frozen=True, slots=True)
class Program:
    """A running program."""

    pid: int
    name: str
    command: str = ""  # as it was started
    ours: bool = False  # one of this project's commands


@dataclass(frozen=True, slots=True)
class Access:
    """Whether this user may read and write a device file, and the group that may."""

    allowed: bool
    group: str
    group_may: bool


class Machine:
    """Linux as seen through /dev, /proc, /sys and /etc below `root`; `uid` and `gids` are the user's."""

    def __init__(self, root: Path = Path("/"), uid: int | None = None, gids: frozenset[int] | None = None) -> None:
        self._root = root
        self._uid = os.getuid() if uid is None else uid
        self._gids = frozenset((*os.getgroups(), os.getgid())) if gids is None else gids

    def _under(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    def usb_devices(self) -> list[UsbDevice]:
        """Everything on the USB bus."""
        found = []
        for folder in sorted(self._under("/sys/bus/usb/devices").glob("*")):
            vendor, product = _text(folder / "idVendor"), _text(folder / "idProduct")
            if vendor and product:
                found.append(UsbDevice(int(vendor, 16), int(product, 16)))
        return found

    def access(self, device: str) -> Access:
        """Who may use a device file. Raises DataError when there is none."""
        path = self._under(device)
        try:
            of = path.stat()
        except OSError as error:
            raise DataError(f"there is no such device: {error.strerror}", where=device) from error
        owner = self._uid == of.st_uid and of.st_mode & stat.S_IRUSR and of.st_mode & stat.S_IWUSR
        group_may = bool(of.st_mode & stat.S_IRGRP and of.st_mode & stat.S_IWGRP)
        others = of.st_mode & stat.S_IROTH and of.st_mode & stat.S_IWOTH
        allowed = bool(self._uid == 0 or owner or others or (group_may and of.st_gid in self._gids))
        return Access(allowed, self._group_name(of.st_gid), group_may)

    def _group_name(self, gid: int) -> str:
        for line in _text(self._under("/etc/group")).splitlines():
            name, _, number, *_ = [*line.split(":"), "", "", ""]
            if number == str(gid):
                return name
        return str(gid)

    def programs(self) -> list[Program]:
        """Everything that runs."""
        found = []
        for folder in self._under("/proc").glob("[0-9]*"):
            name = _text(folder / "comm")
            if name:
                words = _text(folder / "cmdline").split("\0")
                command = " ".join(filter(None, words))
                ours = any(Path(word).name == OURS or word.startswith("companion.app") for word in words[:3])
                found.append(Program(int(folder.name), name, _short(command), ours))
        return sorted(found, key=lambda program: program.pid)

    def holders(self, device: str) -> list[Program]:
        """Programs that have the device open, as far as this user may see; the virtual box holds its own line's end."""
        target = str(Path(device).resolve())
        found = []
        for program in self.programs():
            try:
                links = [os.readlink(link) for link in self._under(f"/proc/{program.pid}/fd").iterdir()]
            except OSError:
                continue  # another user's program, or one that has just ended
            if program.ours and program.command.startswith(VIRTUAL_BOX):
                continue
            if target in links and program.pid != os.getpid():
                found.append(program)
        return found

    def has_program(self, name: str) -> bool:
        """Whether a program of this name is installed."""
        folders = ("/usr/local/bin", "/usr/bin", "/bin")
        return any((self._under(folder) / name).exists() for folder in folders)

    def latency_timer_ms(self, device: str) -> int | None:
        """How long an FTDI chip holds bytes back; None for other chips."""
        text = _text(self._under(f"/sys/bus/usb-serial/devices/{Path(device).resolve().name}/latency_timer"))
        return int(text) if text.isdecimal() else None

    def has_rule(self, name: str) -> bool:
        """Whether a udev rule of this name is installed."""
        folders = ("/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d")
        return any((self._under(folder) / name).exists() for folder in folders)


def _short(command: str) -> str:
    """A command without the folders of its program, as people typed it."""
    words = command.split()
    at = next((n for n, word in enumerate(words[:3]) if Path(word).name == OURS), 0)
    return " ".join([Path(words[at]).name, *words[at + 1 :]]) if words else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""  # not there, or gone meanwhile: the same to the doctor
