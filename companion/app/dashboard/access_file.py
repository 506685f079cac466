"""What this machine keeps of the pages' roles: the key of the tokens, the referee's PIN, who is joined."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from companion.core.errors import DataError
from companion.core.files import parse_json
from web.roles.access import PIN_LEAST_DIGITS

FILE = "access.json"


class AccessFile:
    """The file `access.json` of a folder, for this user alone; see `web.roles.access.AccessKeeper`."""

    def __init__(self, folder: Path) -> None:
        """Make the file at the first start. Raises DataError when it is damaged or cannot be written."""
        self._path = folder / FILE
        try:
            if not self._path.exists():
                folder.mkdir(parents=True, exist_ok=True)
                self._write({"key": secrets.token_hex(32), "pin": _new_pin()})
            self._data = parse_json(self._path.read_text(encoding="utf-8"))
            self.key = bytes.fromhex(self._data["key"])
            self.pin = str(self._data["pin"])
            if self.pin.isdigit() and len(self.pin) < PIN_LEAST_DIGITS:  # of a companion that made shorter ones
                self.save({"pin": _new_pin()})
                self.pin = str(self._data["pin"])
        except OSError as error:
            raise DataError(f"the key of the pages cannot be kept: {error.strerror}", where=str(self._path),
                            remedy="See to the folder's rights and room, or choose another one: setting data_dir."
                            ) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"the key of the pages cannot be used: {error}", where=str(self._path),
                            remedy="Remove the file: phones then join again.") from error

    def load(self) -> dict[str, Any]:
        """Who was joined."""
        roles = self._data.get("roles", {})
        return dict(roles) if isinstance(roles, dict) else {}

    def save(self, roles: dict[str, Any]) -> None:
        """Keep who is joined; a "pin" among the roles takes the place of the one that was."""
        pin = roles.get("pin", self._data["pin"])
        self._data = {**self._data, "pin": pin, "roles": {k: v for k, v in roles.items() if k != "pin"}}
        self._write(self._data)

    def _write(self, data: dict[str, Any]) -> None:
        """Write beside the file, then in its place: a crash leaves the old one or the new one."""
        beside = self._path.with_suffix(".new")
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)


def _new_pin() -> str:
    return f"{secrets.randbelow(10**PIN_LEAST_DIGITS):0{PIN_LEAST_DIGITS}d}"
