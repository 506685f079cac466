"""The rules of Rifts of N'Norya bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

from __future__ import annotations

from companion.core.game import UnseenAct
from companion.core.game_kit.common_rules import TabledRules
from companion.core.game_kit.rule_modules import RuleModules
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Setup, Slot
from companion.games.rifts import actions as a
from companion.games.rifts import board
from companion.games.rifts.edition.catalogue import Catalogue
from companion.games.rifts.edition.tables import WOUND, Tables, build_tables
from companion.games.rifts.edition.world import WOUNDS_TO_KO
from companion.games.rifts.legality import chance, check, legal_actions
from companion.games.rifts.play import combat, growth, invariants, market, moving, scoring, turns
from companion.games.rifts.state import State
from companion.games.rifts.table import describe, stored, views
from companion.games.rifts.table.unseen import act_unseen, acts_in_one_go, found_by_sight, goes_without_saying

MODULES: RuleModules[Tables, State] = RuleModules(
    turns.initial_state,
    {
        a.Start: growth.place_mage,
        a.Spawn: growth.spawn,
        a.Place: growth.place_tile,
        a.Temple: growth.choose_temple,
        a.Move: moving.move,
        a.End: moving.end,
        a.Fall: combat.fall,
        a.Stand: combat.stand,
        a.Attack: combat.attack,
        a.Seek: combat.seek,
        a.Join: combat.join,
        a.Stay: combat.stay,
        a.Cast: combat.cast,
        a.Done: combat.done,
        a.Share: combat.share,
        a.TakeWound: combat.take_wound,
        a.Agree: combat.agree,
        a.Refuse: combat.refuse,
        a.Buy: market.buy,
        a.Clear: market.clear,
        a.Equip: market.equip,
        a.Trade: market.trade,
        a.Market: market.fill,
        a.Hand: combat.draw_card,
        a.Location: growth.draw_location,
        a.Gold: combat.turn_token,
    },
    check, legal_actions, chance, scoring, invariants, stored, views, describe, board,
)


class RiftsRules(TabledRules[Tables, State]):
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit.

    Hands are hidden: a drawn card is secret to its seat until it is played.
    """

    __slots__ = ()
    notation = a.NOTATION

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        super().__init__(MODULES, build_tables(setup, catalogue))

    def after(self, state: State, event: Event) -> State:
        """The state after a legal event, and after everything that follows by itself."""
        return turns.advance(self.tables, super().after(state, event))

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """The table while and after `event` happens, as it is seen."""
        return board.views_between(self.tables, before, event, self.apply(before, event))

    def unseen_before(self, state: State) -> UnseenAct | None:
        """The end of a turn, which leaves nothing to be seen."""
        return act_unseen(self.tables, state)

    def acts_in_one_go(self, state: State, seen: frozenset[tuple[Slot, SlotView]]) -> tuple[tuple[Event, ...], ...]:
        """A tile that is drawn and laid, a mage that is moved by several movements."""
        return acts_in_one_go(self.tables, state, seen)

    def found_by_sight(self, state: State) -> bool:
        """Where a tile is laid: in hundreds of ways."""
        return found_by_sight(state)

    def goes_without_saying(self, way: State, other: State) -> bool:
        """R-N24: a mage whose figure is moved at once goes a shortest way, and the one of these that gains most."""
        return goes_without_saying(way, other)

    def is_reveal(self, before: State, event: Event) -> bool:
        """Whether `event` shows cards of a hand: one that is played, or four Wounds (N41)."""
        if isinstance(event, a.Hand):
            wounds = before.mages[event.seat].hand[self.tables.wound]
            return event.card == WOUND and wounds == WOUNDS_TO_KO - 1
        return isinstance(event, (a.Cast, a.Fall))

    def is_secret(self, event: Event) -> bool:
        """Whether `event` is known to its seat only: a card drawn into a hand."""
        return isinstance(event, a.Hand)
