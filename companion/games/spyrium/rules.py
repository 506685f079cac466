"""The rules of Spyrium bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

from __future__ import annotations

from functools import reduce
from itertools import compress

from companion.core.game import SeenFirst, UnseenAct
from companion.core.game_kit.common_rules import TabledRules
from companion.core.game_kit.rule_modules import RuleModules
from companion.core.layout import BoardView
from companion.core.types import Action, Event, Setup, Slot
from companion.games.spyrium import actions as a
from companion.games.spyrium import board
from companion.games.spyrium.edition.catalogue import Catalogue
from companion.games.spyrium.edition.tables import POUNDS_AT_START, Tables, build_tables
from companion.games.spyrium.legality import chance, check, legal_actions
from companion.games.spyrium.play import activation, acts, invariants, scoring, turns
from companion.games.spyrium.state import State
from companion.games.spyrium.table import describe, stored, views
from companion.games.spyrium.table.sense import make_sense
from companion.games.spyrium.table.unseen import act_unseen

MODULES: RuleModules[Tables, State] = RuleModules(
    turns.initial_state,
    {
        a.Place: acts.place,
        a.Start: acts.start,
        a.Money: acts.money,
        a.Activate: activation.activate,
        a.Use: acts.use,
        a.Reuse: acts.reuse,
        a.UseEvent: acts.use_event,
        a.Pass: acts.pass_turn,
        a.Bonus: acts.bonus,
        a.Future: turns.reveal_future,
        a.FutureToken: turns.future_token,
        a.First: turns.first_player,
        a.Deal: turns.deal,
        a.Token: turns.card_token,
    },
    check, legal_actions, chance, scoring, invariants, stored, views, describe, board,
)


class SpyriumRules(TabledRules[Tables, State]):
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit.

    Nothing is hidden in Spyrium: no event is secret, none is a reveal, and every viewer sees the same.
    """

    __slots__ = ()
    notation = a.NOTATION

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        super().__init__(MODULES, build_tables(setup, catalogue))

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """The table while and after `event` happens, as it is seen."""
        return board.views_between(self.tables, before, event, self.apply(before, event))

    def seen_first(self, state: State, event: Event) -> SeenFirst | None:
        """The gap into which a worker comes or from which it is taken, the place of a dealt card, the building that is
        used."""
        return board.seen_first(self.tables, state, event)

    def purses(self, state: State) -> dict[Slot, int]:
        """Each player's money, which lies before them."""
        return {board.purse_slot(seat): player.money for seat, player in enumerate(state.players)}

    def purses_at_start(self) -> dict[Slot, int]:
        """What each player begins with, and the first revenue (S20)."""
        pounds = POUNDS_AT_START + self.tables.track[0]
        return {board.purse_slot(seat): pounds for seat in range(len(self.tables.seats))}

    def unseen_before(self, state: State) -> UnseenAct | None:
        """Phase II, and a pass where nothing else could be done: they leave nothing to be seen."""
        return act_unseen(self.tables, state)

    def sensible(self, state: State, ways: tuple[tuple[Event, ...], ...]) -> tuple[tuple[Event, ...], ...]:
        """The ways to which no other is plainly better for whoever acts last; all where that is not one player."""
        seats = {way[-1].seat if way and isinstance(way[-1], Action) else None for way in ways}
        seat = seats.pop() if len(seats) == 1 else None
        if seat is None:
            return ways
        ends = [reduce(self.apply, way, state) for way in ways]
        return tuple(compress(ways, make_sense(state, ends, seat)))
