"""What tests of the followed table share: a dealt game of Envyra's sample edition, and a hand that lays things."""

from __future__ import annotations

from random import Random

from laid_view import LaidView

from companion.core.game import Rules, State
from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.core.types import Event, SeatInfo, Setup, Slot
from companion.games import find_game
from companion.lab.simulators.simulated_table import Noise, SimulatedEyes, random_state
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.happenings import Happening
from companion.table.tracking.judging.reconcile import Demands
from companion.table.tracking.judging.weighing import EarlierState
from companion.table.tracking.table_tracker import TableTracker

ENVYRA = find_game("envyra")


def sample_rules(players: int = 3) -> Rules:
    """The rules for so many players with the sample edition."""
    seats = tuple(SeatInfo(f"P{n + 1}", colour) for n, colour in enumerate(ENVYRA.colours[:players]))
    return ENVYRA.make_rules(Setup("envyra", seats, "sample"), ENVYRA.load_catalogue("sample"))


def play_texts(rules: Rules, state: State, *texts: str) -> State:
    """The state after these events."""
    for text in texts:
        state = rules.apply(state, rules.parse(text))
    return state


class Table(LaidView):
    """A table that is filmed: `lay` changes what lies there, `look` shows it to the tracker."""

    def __init__(
        self, rules: Rules, state: State, demands: Demands | None = None, noise: Noise | None = None,
        outside: frozenset[Slot] = frozenset(),
    ) -> None:
        blame = find_game(rules.setup.game).blame
        assert blame is not None
        self.rules = rules
        self.view = board_look(rules, state)
        self.eyes = SimulatedEyes(rules, noise or Noise(), Random(5), outside)
        more = {} if demands is None else {"demands": demands}
        self.tracker = TableTracker(rules, blame, state, self.view, **more)

    @classmethod
    def dealt(cls, players: int = 3, seed: int = 3, **options: object) -> Table:
        """A freshly dealt table."""
        rules = sample_rules(players)
        return cls(rules, random_state(rules, Random(seed)), **options)  # type: ignore[arg-type]

    def told(self, *texts: str) -> None:
        """Events that the tracker is told of."""
        self.tracker.accept(play_texts(self.rules, self.tracker.state, *texts))

    def stage(self, event: Event, number: int = 0) -> None:
        """Show the table as it is at a stage of a legal event that begins now."""
        self.view = path_look(self.rules, self.tracker.state, event)[number]

    def look(self, *, covered: tuple[Slot, ...] = (), state: ViewState = ViewState.SETTLED) -> tuple[Happening, ...]:
        """One picture, after a hand was there."""
        self.tracker.scene_changed()
        return self.glance(covered=covered, state=state)

    def glance(
        self, *, covered: tuple[Slot, ...] = (), state: ViewState = ViewState.SETTLED
    ) -> tuple[Happening, ...]:
        """One more picture of the same scene."""
        seen = self.eyes.look(self.view)
        readings = tuple(SlotReading(s.slot, Sight.COVERED) if s.slot in covered else s for s in seen.slots)
        return self.tracker.observe(BoardObservation(seen.frame, seen.time_ms, state, readings))

    def earlier(self, *states: tuple[int, State]) -> None:
        """Let the tracker know to which records the table may go back."""
        self.tracker.earlier = tuple(EarlierState(n, s, board_look(self.rules, s)) for n, s in states)
