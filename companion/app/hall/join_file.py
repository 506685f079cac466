"""What a table keeps of the hall that it belongs to: the hub's address, its own key, and which games it delivers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from companion.app.files.atomic_write import write_whole
from companion.app.files.paths import hall_dir
from companion.app.files.settings import Settings
from companion.core.errors import DataError
from companion.core.files import parse_json

FILE = "join.json"


@dataclass(frozen=True, slots=True)
class Joined:
    """The hub's address and name for this table, the key, the SHA-256 of the hub's own certificate ("": one that the
    system trusts), when this table joined, and the games from before that it went on with since."""

    url: str
    table: int
    name: str
    key: str
    certificate: str
    joined_ms: int
    sessions: tuple[str, ...] = ()


class JoinFile:
    """The file `hall/join.json` of the data folder, for this user alone."""

    def __init__(self, settings: Settings) -> None:
        self.path = hall_dir(settings) / FILE

    def read(self) -> Joined | None:
        """What is kept, None when this table belongs to no hall. Raises DataError when it is damaged."""
        if not self.path.exists():
            return None
        try:
            data = parse_json(self.path.read_text(encoding="utf-8"))
            return Joined(**{**data, "sessions": tuple(data["sessions"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"what is known of the hall cannot be read: {error}", where=str(self.path),
                            remedy="Remove the file and join again with a new code.") from error

    def write(self, joined: Joined) -> None:
        """Keep it. Raises CompanionError when it cannot be written."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(self.path, _bytes(joined))

    def add(self, session: str) -> Joined | None:
        """This game is delivered too; what is kept then."""
        joined = self.read()
        if joined is not None and session not in joined.sessions:
            joined = replace(joined, sessions=(*joined.sessions, session))
            self.write(joined)
        return joined

    def remove(self) -> bool:
        """Belong to no hall any more; whether this table did."""
        there = self.path.exists()
        self.path.unlink(missing_ok=True)
        return there


def _bytes(joined: Joined) -> Iterator[bytes]:
    yield json.dumps(asdict(joined)).encode()
