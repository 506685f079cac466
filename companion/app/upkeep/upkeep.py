"""See `web.ports.upkeep.UpkeepPort`: what keeps the machine in order, put together."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence

from companion.app.files.settings import Settings
from companion.app.upkeep.backups import Backups
from companion.app.upkeep.examination import Examination
from companion.app.upkeep.lens_bench import LensBench
from companion.core.errors import CompanionError, DataError
from web.ports.setup_step import SetupStep

POWER_OFF = ("systemctl", "poweroff")
POWER_OFF_S = 20
NOT_HERE = "this machine is not one that is switched off on its pages"


class Upkeep:
    """Calls from any thread."""

    def __init__(
        self, settings: Settings, lens: LensBench, backups: Backups, examination: Examination,
        run: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        """`run`: runs a command of the machine; raises CompanionError when it fails."""
        self.lens, self.backups = lens, backups
        self._settings, self._examination, self._run = settings, examination, run or _run

    @property
    def can_shut_down(self) -> bool:
        """Whether the setting says so."""
        return self._settings.shut_down == "page"

    def steps(self, game: str) -> Sequence[SetupStep]:
        """All that may be wrong."""
        return self._examination.steps(game)

    def report(self, game: str) -> bytes:
        """The same for asking for help."""
        return self._examination.report(game)

    def shut_down(self) -> None:
        """Switch this machine off."""
        if not self.can_shut_down:
            raise DataError(NOT_HERE, where="setting shut_down", remedy="Install the service with --kiosk.")
        self._run(POWER_OFF)


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, timeout=POWER_OFF_S, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise CompanionError(f"{' '.join(command)}: {error.stderr.strip()}", where="this machine") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompanionError(f"{' '.join(command)}: {error}", where="this machine") from error
