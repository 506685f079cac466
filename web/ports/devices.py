"""What the pages see of devices, and what they may ask of them: camera, button box, the reader of tallies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.core.layout import BoardView
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Seat
from companion.table.steps import HandStep


@dataclass(frozen=True, slots=True)
class DeviceHealth:
    """How a device is: `state` is one of ok, wait, bad, off; `text` says why and `remedy` the next thing to do. What is
    `Message` is shown in the language of the page, what is not as it is."""

    state: str
    text: str
    remedy: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    virtual: bool = False


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
    choices are what may have been drawn and lies at the slot; one without events is that none of it does. `presumed`:
    the first choice is recorded already, and nobody need answer; the others are what it may have been instead, or that
    it was against the rules. `before`: the record after which the choices begin; None: they come next. `held`: hands
    may go on, so that nobody is asked yet; the player may tell already, what is likely first. `unseen`: too
    little was seen to say more than which legal acts may have happened there.
    """

    choices: tuple[tuple[str, ...], ...]
    slots: tuple[str, ...] = ()
    seat: Seat | None = None
    corrects: bool = False
    unnamed: bool = False
    presumed: bool = False
    before: int | None = None
    held: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class CameraLook:
    """What the camera pipeline does now: ViewState's value, why, the newest frame, pictures a second; whether a new
    scene is being read; who seems to be `in_the_middle` of an act."""

    view: str = ""
    note: Message = NO_MESSAGE
    frame: int = 0
    fps: float = 0.0
    size: tuple[int, int] = (0, 0)
    reading: bool = False
    in_the_middle: Seat | None = None


class CameraPort(Protocol):
    """The camera that watches the table. All methods from any thread; none waits for a picture."""

    def health(self) -> DeviceHealth:
        """Whether pictures of the table as it is now come in."""

    def granted(self) -> str:
        """What the driver granted of what was asked: size, and whether focus and exposure are held; "" for nothing."""

    def look(self) -> CameraLook:
        """What the pipeline makes of them."""

    def picture(self, overlay: bool, called: Callable[[str], str] = str) -> Picture | None:
        """The newest picture, with what was recognised drawn over it or as it came; None before the first. `called`:
        what people call a face or a colour, in the language of whoever looks."""

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

    def health(self) -> DeviceHealth:
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
    """A tile in a picture: what it is (None: unknown), how sure, what it may be, likeliest first, its corners as parts
    of the picture's size, and whether a person must say which it is."""

    face: str | None
    p: float
    alternatives: tuple[str, ...]
    corners: tuple[tuple[float, float], ...]
    ask: bool = False


@dataclass(frozen=True, slots=True)
class TallyLook:
    """What lies in a picture of captured tiles, whether it can be believed, and why not where no tile is asked about:
    another one may lie there, `hidden` in these corners (parts of the picture's size; none where nothing hides one)."""

    tiles: tuple[TallyTile, ...]
    sure: bool
    doubts: tuple[Message, ...]
    size: tuple[int, int]
    hidden: tuple[tuple[float, float], ...] = ()


class TallyPort(Protocol):
    """Reads a picture of captured tiles."""

    def read(self, jpeg: bytes, captured: int | None = None) -> TallyLook:
        """The tiles in a picture; `captured`: how many there are by the record, None where it tells nothing. Raises
        DeviceError for what is no picture."""
