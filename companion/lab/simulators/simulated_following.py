"""Simulated games followed without help: what is accepted, asked and mistaken when the table is read with errors."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from companion.app.camera.picture_loop import PictureLoop
from companion.core.game import ActsUnseen, GameSpec, InferringRules, Rules, State
from companion.core.types import Action, Event, Slot
from companion.lab.simulators.simulated_table import (
    PICTURE_S,
    PICTURES_PER_SCENE,
    Noise,
    SimulatedEyes,
    StillMoment,
    play,
    random_state,
    scenes,
)
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.doings import lookalikes
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.reconcile import LIVE_DEMANDS
from companion.table.tracking.table_tracker import TableTracker


@dataclass
class FollowedCounts:
    """What happened in the games at one rate of error."""

    rate: float
    games: int = 0
    moves: int = 0
    events: int = 0
    accepted: int = 0
    wrong: int = 0
    asks: int = 0
    false_alarms: int = 0
    missed: int = 0
    alike: int = 0  # asks about what leaves the same table as another legal act
    on_phones: int = 0  # asks that the player who acted answers with one tap: the right answer is among the choices
    presumed: int = 0  # acts recorded with a note that they may have been others, and they were not
    denied: int = 0  # those asks that are such a note, about another act
    inferred: int = 0  # rounds whose choices were inferred
    misjudged: int = 0  # those of them after which the position was not the true one

    def row(self) -> dict[str, float]:
        """The counts and the rates per 100 moves."""
        per_100 = 100.0 / max(1, self.moves)
        return {
            **asdict(self), "asks_per_100": round(self.asks * per_100, 3),
            "asks_by_error_per_100": round((self.asks - self.alike) * per_100, 3),
            "asks_of_the_referee_per_100": round((self.asks - self.on_phones) * per_100, 3),
            "false_alarms_per_100": round(self.false_alarms * per_100, 3),
        }


def follow_game(
    spec: GameSpec, rules: Rules, noise: Noise, seed: int, tally: FollowedCounts, *, unread: bool = False,
    outside: frozenset[Slot] = frozenset(), sensible: bool = False,
) -> None:
    """Play one random game on the simulated table and count into `tally` what the tracker made of it.

    Where it asks, or does not accept an event by the last picture of its scene, the person says what happened: one
    ask. What leaves nothing to be seen is told, but for what follows from what comes after it. An accepted event that
    did not happen is wrong. `unread`: secret acts are confirmed and never told. `outside`: slots that no picture shows.
    `sensible`: see `play`. A note that an act was presumed is denied where it was another one: an ask.
    Raises ValueError for a game that the camera does not follow, or whose secret acts cannot be inferred.
    """
    if spec.blame is None or (unread and spec.infer is None):
        raise ValueError(f"{spec.name} is not followed by the camera" + " unread" * unread)
    random = Random(seed)
    state = random_state(rules, random)
    eyes = SimulatedEyes(rules, noise, Random(seed + 1), outside)
    infer = spec.infer(rules) if unread and spec.infer is not None else None
    tracker = TableTracker(
        infer or rules, spec.blame, state, board_look(rules, state), demands=LIVE_DEMANDS, patience=5
    )
    game = _Followed(rules, infer, tracker, PictureLoop(eyes, tracker), tally, outside)
    for event, before, after in play(rules, state, random, sensible=sensible):
        game.happen(event, before, after)
    tally.games += 1


@dataclass
class _Followed:
    rules: Rules
    infer: InferringRules | None
    tracker: TableTracker
    loop: PictureLoop
    tally: FollowedCounts
    outside: frozenset[Slot]
    untold: list[str] = field(default_factory=list)
    """What has happened unseen and follows from what comes next."""
    pictures: int = 0
    follows: bool = True
    """Whether more that happens unseen follows, too: not after an act that only another one of the same seat shows."""

    def happen(self, event: Event, before: State, after: State) -> None:
        """One event of the game: what is seen of it is shown to the tracker, the rest told."""
        moments = list(scenes(self.rules, event, before, after, self.outside))
        if not moments or moments[0].event is None:
            self._happen_unseen(event, before, after)
            for moment in moments:  # hands tidy up
                self._show(moment, set(), set(), after)
            return
        self.tally.events += 1
        self.tally.moves += isinstance(event, Action)
        inferring = self.infer is not None and self.infer.account(self.tracker.state) is not None
        right = after if not inferring else self.tracker.rules.apply(self.tracker.state, event)
        wanted = {self.rules.format(event)}
        looks_alike = wanted | self._alike(before, event)
        for moment in moments:
            wanted = self._show(moment, wanted, looks_alike, right)
        if not isinstance(event, Action):
            self._judge(inferring, after)
            if self.rules.dump(self.tracker.state) != self.rules.dump(after):
                self.tracker.put_right(after, moments[-1].view)  # the same face under its other name

    def _happen_unseen(self, event: Event, before: State, after: State) -> None:
        unseen = self.rules.unseen_before(before) if isinstance(self.rules, ActsUnseen) else None
        if unseen is not None and unseen.action == event and self.follows:
            self.untold.append(self.rules.format(event))
            self.follows = unseen.forced
        else:  # confirmed at the button box, entered, or drawn where no eye sees it
            self._all_told()
            self._tell(event, before, after)

    def _all_told(self) -> None:
        self.untold.clear()
        self.follows = True

    def _show(self, moment: StillMoment, wanted: set[str], looks_alike: set[str], right: State) -> set[str]:
        """Show one still moment; what is still to be accepted after it: nothing, for then the person has said it."""
        self.tracker.scene_changed()
        asked = on_phone = False
        alike = len(lookalikes(self.tracker.rules, self.tracker.state, moment.view, self.outside)) > 1
        for _ in range(PICTURES_PER_SCENE):
            self.pictures += 1
            happenings = self.loop.step(self.pictures, moment.view, self.pictures * PICTURE_S)
            denied = self._denied(happenings, wanted, looks_alike)
            if denied is not None:
                asked, wanted = True, set()
                on_phone |= denied
            for happening in happenings:
                if happening.kind is HappeningKind.EVENT and denied is None:
                    wanted = self._accepted(happening, wanted, looks_alike)
                asked |= happening.kind in (HappeningKind.ILLEGAL, HappeningKind.ASKED)
                on_phone |= self._answers_itself(wanted)
                self.tally.false_alarms += happening.kind is HappeningKind.ILLEGAL
        if wanted:
            asked = True
            self.tally.missed += 1
        self.tally.asks += asked
        self.tally.alike += asked and alike
        self.tally.on_phones += asked and on_phone
        if asked or self.tracker.view != moment.view:
            self.tracker.put_right(right, moment.view)
            self._all_told()
        return set()

    def _denied(self, happenings: tuple[Happening, ...], wanted: set[str], looks_alike: set[str]) -> bool | None:
        """Whether what happened is among the other acts of a note that people deny; None where they deny none."""
        presumed = self.tracker.presumed
        if presumed is None or not presumed.others or all(h.kind is not HappeningKind.PRESUMED for h in happenings):
            return None
        if self.rules.format(presumed.events[-1]) in wanted | looks_alike:
            self.tally.presumed += 1
            return None
        self.tally.denied += 1
        return any(self.rules.format(events[-1]) in wanted for events in presumed.others)

    def _answers_itself(self, wanted: set[str]) -> bool:
        """Whether the open question is one for the phone of the player who acted, and offers what happened."""
        asked = self.tracker.asked
        if asked is None or asked.seat is None:
            return False
        return any(events and self.rules.format(events[-1]) in wanted for events in asked.choices)

    def _accepted(self, happening: Happening, wanted: set[str], looks_alike: set[str]) -> set[str]:
        assert happening.event is not None
        if self.infer is not None and not self.infer.recorded(happening.event):
            return wanted
        if self.rules.format(happening.event) in self.untold:
            self.untold.remove(self.rules.format(happening.event))
            self.follows = True
            return wanted
        if wanted and self.rules.format(happening.event) in looks_alike:
            self.tally.accepted += 1
        else:
            self.tally.wrong += 1
        return set()

    def _alike(self, before: State, event: Event) -> set[str]:
        """The draws that look just like `event`, or the acts of its kind that come to the same position."""
        rules = self.rules
        if isinstance(event, Action):
            kind = (a for a in rules.legal_actions(before) if type(a) is type(event) and a.seat is event.seat)
            return {rules.format(a) for a in kind if rules.apply(before, a) == rules.apply(before, event)}
        path = path_look(rules, before, event)
        outcomes = rules.chance_outcomes(before)
        return {rules.format(o.draw) for o in outcomes if path_look(rules, before, o.draw) == path}

    def _tell(self, event: Event, before: State, after: State) -> None:
        """Tell what no eye sees: all of it, or only that the secret act was done."""
        if self.infer is None:
            self.tracker.accept(after)
            return
        if self.infer.account(self.infer.begin(before)) is not None:
            return  # a board that is read at the reveal, in the game that is played; here nobody reads it
        account = self.infer.account(self.tracker.state)
        state = self.tracker.state if account is None else account.over
        if account is not None:
            self._judge(True, before, state)
        if self.rules.is_secret(event) and isinstance(event, Action):
            event = self.rules.parse(f"{event.seat.name} confirm")
        base = before if state is None else state
        self.tracker.accept(self.infer.begin(self.rules.apply(base, event)))

    def _judge(self, inferring: bool, truth: State, state: Any = None) -> None:
        """Count a round whose choices were inferred, and whether it led to the true position."""
        if inferring:
            state = self.tracker.state if state is None else state
            self.tally.inferred += 1
            self.tally.misjudged += board_look(self.rules, state) != board_look(self.rules, truth)
