"""What the pages need from the rest of the companion: devices, catalogues and the tables, handed in as ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.core.game import GameSpec
from companion.core.layout import BoardView
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Seat
from companion.draws.bag import DigitalBag
from companion.draws.desk import BagDesk
from companion.table.session import Session
from companion.table.steps import HandStep
from web.enrolment.port import EnrolPort
from web.upkeep.port import UpkeepPort


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A game being played: its session is the only writer; `desk` is where the digital bag is filled."""

    spec: GameSpec
    session: Session
    bag: DigitalBag
    desk: BagDesk


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose in the set-up: everything a table needs to begin."""

    game: str
    seats: tuple[tuple[str, str], ...]  # (name, colour) in clockwise order
    options: tuple[tuple[str, str], ...] = ()
    catalogue: str = ""
    draws: str = "physical"
    first: str = ""  # the letter of the seat that begins; "": it is asked for or drawn when that is due


@dataclass(frozen=True, slots=True)
class Health:
    """How a device is: `state` is one of ok, wait, bad, off; `text` says why and `remedy` the next thing to do. What is
    `Message` is shown in the language of the page, what is not as it is."""

    state: str
    text: str
    remedy: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    virtual: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the set-up: how it stands (ok, wait, bad, off), what is so, and the next thing to do.

    `text` and `remedy` are message ids filled from `facts`; `can` names what the page may do about it ("table",
    "colours"; "" for nothing); `detail` is the finding as it came.
    """

    key: str
    state: str
    text: str
    remedy: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    can: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen for a device: its sources, "" for none among them, and the one in use."""

    sources: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG picture and the number of its frame."""

    number: int
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Question:
    """What the camera cannot decide: the choices, each as events' texts of the game, and the telling slots.

    `seat`: the player who did it whichever choice is true, and who therefore may answer; None: the referee alone.
    `corrects`: the record is doubted: the first choice is what it should say, the second what it says. `unnamed`: the
    choices are what may have been drawn and lies at the slot; one without events is that none of it does.
    """

    choices: tuple[tuple[str, ...], ...]
    slots: tuple[str, ...] = ()
    seat: Seat | None = None
    corrects: bool = False
    unnamed: bool = False


@dataclass(frozen=True, slots=True)
class CameraLook:
    """What the camera pipeline does now: ViewState's value, why, the newest frame, pictures a second; whether a new
    scene is being read."""

    view: str = ""
    note: Message = NO_MESSAGE
    frame: int = 0
    fps: float = 0.0
    size: tuple[int, int] = (0, 0)
    reading: bool = False


class CameraPort(Protocol):
    """The camera that watches the table. All methods from any thread; none waits for a picture."""

    def health(self) -> Health:
        """Whether pictures of the table as it is now come in."""

    def granted(self) -> str:
        """What the driver granted of what was asked: size, and whether focus and exposure are held; "" for nothing."""

    def look(self) -> CameraLook:
        """What the pipeline makes of them."""

    def picture(self, overlay: bool) -> Picture | None:
        """The newest picture, with what was recognised drawn over it or as it came; None before the first."""

    def question(self) -> Question | None:
        """The question that is open, or None."""

    def answer(self, choice: int, texts: tuple[str, ...], by: str) -> None:
        """`by` ("referee" or a seat) answered the open question: its `choice`, which was read as `texts`. Raises
        ValueError when there is no such choice (any more)."""

    def go_on(self) -> None:
        """A person goes on to the next phase: what was seen while boards were unread is recorded. Raises ValueError
        when nothing waits for that (any more), or the phase cannot be over yet."""

    def steps(self) -> tuple[HandStep, ...]:
        """What hands must do so that the table fits the record again."""

    def lies(self) -> BoardView | None:
        """The table as the camera believes that it lies, when that is not what the record says; else None."""

    def evidence(self, record: int) -> Picture | None:
        """The picture that was kept for a record, or None."""

    def push(self, jpeg: bytes) -> CameraLook:
        """Take a picture from a phone. Raises DeviceError when it is none or the camera is not a phone."""


@dataclass(frozen=True, slots=True)
class BoxAbout:
    """Which button box it is: its id (8 hex digits, "" before it has answered), what people call it, the day of its
    last walk without a fault ("" for none), its port, board and firmware, and whether no game has it."""

    box: str
    name: str
    tested: str
    port: str
    board: str
    firmware: int
    idle: bool


@dataclass(frozen=True, slots=True)
class WalkRow:
    """A step of the walk that is over: `outcome` is one of good, wrong, skipped."""

    ask: Message
    outcome: str
    cause: Message


@dataclass(frozen=True, slots=True)
class WalkLook:
    """How the walk round a box stands: step `at` of `count` asks for `kind` ("light", "contact", "" at the end) of a
    station (0: the referee's button); `shows` names the states of the LEDs, `hint` what came instead."""

    at: int
    count: int
    ask: Message
    kind: str
    station: int
    shows: tuple[str, ...]
    hint: Message
    rows: tuple[WalkRow, ...]
    over: bool
    passed: bool


class WalkPort(Protocol):
    """The walk round a button box; what is pressed meanwhile reaches no game. It ends when nobody looks."""

    def begin(self, stations: int) -> None:
        """Begin at the first step."""

    def answer(self, at: int, right: bool) -> None:
        """Whether the LED of step `at` is right; nothing when that step is over."""

    def skip(self, at: int) -> None:
        """Go on without the part of step `at`; nothing when that step is over."""

    def end(self) -> None:
        """Presses are the game's again."""

    def look(self) -> WalkLook | None:
        """How it stands, or None."""


class BoxPort(Protocol):
    """The button box."""

    @property
    def walk(self) -> WalkPort:
        """The walk round it."""

    def about(self) -> BoxAbout:
        """Which box it is."""

    def be_called(self, name: str) -> None:
        """Name it. Raises DeviceError before it has answered."""

    def health(self) -> Health:
        """How the link is."""

    def inputs(self) -> Sequence[str]:
        """The inputs whose contacts are closed, such as "shield-1"."""

    def leds(self) -> Sequence[str]:
        """What each station's LED shows, by name."""

    def touch(self, which: str, press: bool | None) -> None:
        """Press, release or (None) tap an input of the virtual box. Raises DeviceError for a real box."""

    def fault(self, command: str) -> None:
        """A fault of the virtual box, such as "unplug". Raises DeviceError for a real box and unknown faults."""


@dataclass(frozen=True, slots=True)
class TallyTile:
    """A tile in a picture: what it is (None: ask), how sure, what else it may be, its corners as parts of its size."""

    face: str | None
    p: float
    alternatives: tuple[str, ...]
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class TallyLook:
    """What lies in a picture of captured tiles, whether it can be believed, and why not."""

    tiles: tuple[TallyTile, ...]
    sure: bool
    doubts: tuple[str, ...]
    size: tuple[int, int]


class TallyPort(Protocol):
    """Reads a picture of captured tiles."""

    def read(self, jpeg: bytes) -> TallyLook:
        """The tiles in a picture. Raises DeviceError for what is no picture."""


class SetupPort(Protocol):
    """The steps of the set-up that concern devices and calibration."""

    def offers(self) -> Mapping[str, Offer]:
        """What can be chosen: "camera", "box" and "tiles"."""

    def choose(self, which: str, source: str) -> None:
        """Use another device from now on, also at the table being played. Raises ValueError for what is not offered,
        DeviceError and DataError when it cannot be used."""

    def steps(self, game: str) -> Sequence[Step]:
        """How every device and calibration stands, for a game; judged from the camera's newest picture."""

    def learn(self, what: str, game: str, group: int | None = None, piece: int | None = None) -> None:
        """Remember the "table" or learn the "colours" from the newest picture, those of all pieces, of a `group` of
        the game's, or of one `piece` of them by its number. Raises DataError saying why not, DeviceError without
        a picture."""


@dataclass(frozen=True, slots=True)
class HallCall:
    """A referee of the hall is called: by whom ("" for the table's own referee), whether the hub knows, who comes (""
    for nobody yet)."""

    who: str
    sent: bool
    person: str


@dataclass(frozen=True, slots=True)
class HallLook:
    """What this table is called in its hall, whether the hub was reached last, and the call that is open."""

    name: str
    linked: bool
    call: HallCall | None


class HallPort(Protocol):
    """The hall that this table belongs to."""

    def look(self) -> HallLook:
        """How a call stands."""

    def call(self, who: str) -> None:
        """Call a referee of the hall; nothing when one is called already."""

    def withdraw(self) -> None:
        """Nobody is needed any more."""


class HostPort(Protocol):
    """The companion that the pages belong to."""

    @property
    def table(self) -> OpenTable | None:
        """The game being played, or None."""

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
        """The picture (JPEG) of a face of the filmed table; None without a film, and for other faces."""

    def played(self) -> tuple[Sequence[Mapping[str, Any]], int]:
        """Who played, and of finished games who won with how many points, the newest first; how many records have
        still to be read."""

    def again(self, beforehand: Callable[[str], None]) -> None:
        """Begin the game on the table once more, with the same people, options and draws; `beforehand` gets the new
        session's name before any page hears of it. Raises as `begin`, and DataError without a table."""

    def begin(self, choice: Choice) -> None:
        """Begin a game; it takes the place of the one being played. Raises DataError with all that is wrong."""

    def resume(self, session: str) -> None:
        """Go on with a session. Raises as `Session.resume`."""

    def export(self, session: str) -> bytes:
        """The whole record as an export file."""
