"""The rules of Envyra bound to a set-up and a catalogue: what companion.core.game.Rules asks for."""

from __future__ import annotations

from companion.core.game_kit.common_rules import TabledRules
from companion.core.game_kit.rule_modules import RuleModules
from companion.core.layout import BoardView
from companion.core.types import Event, Setup
from companion.games.envyra import actions as a
from companion.games.envyra import board
from companion.games.envyra.edition.components import Catalogue
from companion.games.envyra.edition.tables import Tables, build_tables
from companion.games.envyra.legality import chance, check, legal_actions
from companion.games.envyra.play import invariants, new_round, phases, scoring, setting_up
from companion.games.envyra.state import Phase, State
from companion.games.envyra.table import describe, stored, views

_SECRET = (a.Choose, a.HandCard, a.Pick)

MODULES: RuleModules[Tables, State] = RuleModules(
    setting_up.initial_state,
    {
        a.Choose: phases.choose,
        a.Confirm: phases.confirm,
        a.TakeBack: phases.take_back,
        a.Move: phases.move,
        a.Remove: new_round.remove,
        a.Pick: setting_up.hand_card,
        a.Show: new_round.show_card,
        a.Finish: new_round.agree,
        a.BoxTile: setting_up.box_tile,
        a.DealTile: setting_up.deal_tile,
        a.StartingFigure: setting_up.starting_figure,
        a.OpenCard: setting_up.open_card,
        a.HandCard: setting_up.hand_card,
        a.Refill: new_round.refill,
        a.Replace: new_round.replacement,
    },
    check, legal_actions, chance, scoring, invariants, stored, views, describe, board,
)


class EnvyraRules(TabledRules[Tables, State]):
    """Implements companion.core.game.Rules. Raises DataError when set-up and catalogue do not fit.

    In Phase I those are to act, too, who could take a confirmation back.
    """

    __slots__ = ()
    notation = a.NOTATION

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        super().__init__(MODULES, build_tables(setup, catalogue))

    def board_path(self, before: State, event: Event) -> tuple[BoardView, ...]:
        """What is seen while `event` happens, the last view being the table after it."""
        return board.views_between(self.tables, before, event, self.apply(before, event))

    def is_reveal(self, before: State, event: Event) -> bool:
        """Whether `event` makes a choice of Phase I or a secret card public."""
        if isinstance(event, a.Show):
            return True
        if before.phase is Phase.REVEAL:
            return isinstance(event, a.Choose)
        if before.phase is not Phase.CHOOSE or not isinstance(event, (a.Choose, a.Confirm)):
            return False
        return before.ready | 1 << event.seat == before.playing

    def is_secret(self, event: Event) -> bool:
        """Whether `event` is known to its seat only: a choice of Phase I, a secret Equilibrium card."""
        return isinstance(event, _SECRET)
