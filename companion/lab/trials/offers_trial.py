"""Random games of any game in which every offer is rendered: acts of one decision that read alike are counted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.game import Rules, State
from companion.core.types import Action, Draw, Seat
from companion.games import find_game
from companion.i18n import LANGUAGES
from companion.lab.trials.engine_trial import any_rules, random_game
from companion.table.prompts import Prompter


@dataclass(slots=True)
class OfferCount:
    """What was offered: decisions (of one seat in one position, two acts at least) and those with equal sentences.

    `offers`: as they are offered; `records`: by the sentences of the record. `example`: the first pair that read alike.
    """

    games: int = 0
    decisions: int = 0
    offers: int = 0
    records: int = 0
    example: tuple[str, ...] = ()


def decisions(rules: Rules, state: State) -> Iterator[tuple[Seat, tuple[Action, ...]]]:
    """The seats that choose among several acts, with these."""
    actions = rules.legal_actions(state)
    for seat in rules.to_act(state):
        own = tuple(action for action in actions if action.seat is seat)
        if len(own) > 1:
            yield seat, own


def alike(sentences: list[str]) -> str | None:
    """A sentence that stands in the list twice; None when all differ."""
    seen: set[str] = set()
    for sentence in sentences:
        if sentence in seen:
            return sentence
        seen.add(sentence)
    return None


def count_offers(count: OfferCount, rules: Rules, states: list[State], speakers: list[Prompter]) -> None:
    """Add the decisions of these states, each in the languages of the speakers."""
    for state in states:
        for _, own in decisions(rules, state):
            count.decisions += 1
            offered = [alike([speaker.offer(rules, state, action) for action in own]) for speaker in speakers]
            recorded = [alike([speaker.event(rules, action) for action in own]) for speaker in speakers]
            count.offers += any(offered)
            count.records += any(recorded)
            found = next((text for text in (*offered, *recorded) if text), None)
            if found is not None and not count.example:
                count.example = (found, *(rules.format(action) for action in own))


def offers_bench(game: str, games: int, seed: int, progress: Callable[[int], None]) -> dict[str, Any]:
    """Random games with any number of players and any options; every decision in every language."""
    spec, count = find_game(game), OfferCount()
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        rules = any_rules(rng, game)
        speakers = [Prompter(spec, rules.setup, language) for language in LANGUAGES]
        played = random_game(rules, rng)
        states = [state for state, event in played if event is not None and not isinstance(event, Draw)]
        count_offers(count, rules, states, speakers)
        count.games += 1
        progress(1)
    return {
        "game": game,
        "games": count.games,
        "decisions": count.decisions,
        "alike_offered": count.offers,
        "alike_recorded": count.records,
        "example": list(count.example),
    }
