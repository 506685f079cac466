"""What the pages need from the rest of the companion: devices, catalogues and the tables, handed in as ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.core.errors import CompanionError
from companion.core.game import GameSpec
from companion.draws.bag import DigitalBag
from companion.draws.desk import BagDesk
from companion.table.commands import Answer
from companion.table.session import Session
from web.ports.devices import BoxPort, CameraPort, TallyPort
from web.ports.enrolment import EnrolPort
from web.ports.hall import HallPort
from web.ports.setup_step import SetupStep
from web.ports.upkeep import UpkeepPort


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A game being played: its session is the only writer; `desk` is where the digital bag is filled."""

    spec: GameSpec
    session: Session
    bag: DigitalBag
    desk: BagDesk


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """What a person chose in the set-up: everything a table needs to begin."""

    game: str
    seats: tuple[tuple[str, str], ...]  # (name, colour) in clockwise order
    options: tuple[tuple[str, str], ...] = ()
    catalogue: str = ""
    draws: str = "physical"
    first: str = ""  # the letter of the seat that begins; "": it is asked for or drawn when that is due


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen for a device: its sources, "" for none among them, and the one in use."""

    sources: tuple[str, ...]
    chosen: str


class SetupPort(Protocol):
    """The steps of the set-up that concern devices and calibration."""

    def offers(self) -> Mapping[str, Offer]:
        """What can be chosen: "camera", "box" and "tiles"."""

    def choose(self, which: str, source: str) -> None:
        """Use another device from now on, also at the table being played. Raises ValueError for what is not offered,
        DeviceError and DataError when it cannot be used."""

    def steps(self, game: str) -> Sequence[SetupStep]:
        """How every device and calibration stands, for a game; judged from the camera's newest picture."""

    def learn(self, what: str, game: str, group: int | None = None, piece: int | None = None) -> None:
        """Remember the "table" or learn the "colours" from the newest picture, those of all pieces, of a `group` of
        the game's, or of one `piece` of them by its number. Raises DataError saying why not, DeviceError without
        a picture."""


class HostPort(Protocol):
    """The companion that the pages belong to."""

    @property
    def table(self) -> OpenTable | None:
        """The game being played, or None."""

    @property
    def not_resumed(self) -> CompanionError | None:
        """Why the game that was played last does not go on since the start, until another one is played."""

    @property
    def ended(self) -> bool:
        """Whether the companion is ending: streams end too."""

    @property
    def camera(self) -> CameraPort | None:
        """The camera, or None when there is none."""

    @property
    def box(self) -> BoxPort | None:
        """The button box, or None when there is none."""

    @property
    def hall(self) -> HallPort | None:
        """The hall that this table belongs to, or None."""

    @property
    def tally(self) -> TallyPort | None:
        """The reader of tally pictures, or None when no box of tiles was enrolled."""

    @property
    def enrolment(self) -> EnrolPort:
        """Learning a box of one's own."""

    @property
    def upkeep(self) -> UpkeepPort:
        """Keeping the machine in order: the lens, the doctor, backups."""

    @property
    def setup(self) -> SetupPort:
        """Devices and calibration, step by step."""

    @property
    def addresses(self) -> Sequence[str]:
        """The addresses under which phones find these pages, http first."""

    @property
    def overlay_delay_s(self) -> int:
        """How many seconds late overlays for streams show the table."""

    @property
    def local_name(self) -> str:
        """The name of this machine on the local network, "" when it has none (yet)."""

    def games(self) -> Sequence[GameSpec]:
        """The games that can be set up."""

    def faces(self, game: str) -> Mapping[str, Any]:
        """What a game's own catalogue says of its faces: id -> JSON for a page."""

    def score(self, game: str, faces: Sequence[str]) -> Any:
        """The SeatScore of a player's captured faces. Raises DataError naming every unknown one."""

    def captured(self, game: str, seat: str) -> int | None:
        """How many tiles a seat (a letter) has captured by the record; None where the table's game is another one
        or not over, or has no such seat."""

    def catalogues(self, game: str) -> Sequence[str]:
        """Names of the catalogues that come with a game."""

    def asks_who_begins(self, game: str) -> bool:
        """Whether the starting player can be chosen beforehand."""

    def sessions(self) -> Sequence[Mapping[str, Any]]:
        """All sessions, newest first."""

    @property
    def film(self) -> str:
        """How the film stands that is in place of a camera: running, held, ended; "" when there is none."""

    def film_do(self, what: str) -> None:
        """What people do with the film: "hold", "go" on, or play it "again". Raises DataError when there is none."""

    def art(self, face: str) -> bytes | None:
        """The picture (JPEG) of a face of the filmed table, or of the own box that is played with; None without, and
        for other faces."""

    @property
    def own_art(self) -> str:
        """Which box's own pictures `art` shows of the game on the table; "" when it is not played with that box."""

    @property
    def own_faces(self) -> tuple[str, ...]:
        """The faces of which `art` has that box's own picture."""

    def played(self) -> tuple[Sequence[Mapping[str, Any]], int]:
        """Who played, and of finished games who won with how many points, the newest first; how many records have
        still to be read."""

    def again(self, beforehand: Callable[[str], None]) -> None:
        """Begin the game on the table once more, with the same people, options and draws; `beforehand` gets the new
        session's name before any page hears of it. Raises as `begin`, and DataError without a table."""

    def begin(self, choice: SetupChoice) -> None:
        """Begin a game; it takes the place of the one being played. Raises DataError with all that is wrong."""

    def resume(self, session: str) -> None:
        """Go on with a session. Raises as `Session.resume`."""

    def draw_automatically(self, on: bool) -> Answer:
        """Let the digital bag make every draw as soon as it is due, after a restart too; or no longer."""

    def export(self, session: str) -> bytes:
        """The whole record as an export file."""
