"""What the picture of Spyrium's table needs: effects as symbols, and a place to tap for every act."""

from __future__ import annotations

from random import Random

import pytest
from spyrium_positions import rules_of

from companion.core.types import Action
from companion.games.spyrium import GAME
from companion.games.spyrium.edition.designs import DESIGNS, EVENTS
from companion.games.spyrium.table.effects import effect_rows, event_rows

# rulebook pages 7 and 8 (S80 to S84, S70): "1w->1s", "1s or 1w->3s, the token in Spyrium", ...
PRINTED = {
    "mine-left": [{"when": "use", "pay": {"worker": 1}, "gain": {"spyrium": 1}}],
    "mine-right": [
        {"when": "use", "pay": {}, "gain": {"spyrium": 1}},
        {"when": "use", "pay": {"worker": 1}, "gain": {"spyrium": 3}},
        {"when": "built", "gain": {"spyrium": 0}},
    ],
    "workshop-right": [{"when": "use", "pay": {"worker": 1, "spyrium": 2}, "gain": {"points": 5}}],
    "neighbourhood-right": [{"when": "built", "gain": {"newcomer": 2}}],
    "residence": [{"when": "built", "gain": {"residence": 0}}],
    "palace": [],
    "banker": [{"when": "called", "pay": {"pounds": 0}, "gain": {"points": 4}}],
    "architect": [{"when": "called", "pay": {"pounds": 0}, "gain": {"residence": 0}}],
}


@pytest.mark.parametrize("design", PRINTED)
def test_a_card_shows_what_the_rulebook_prints(design: str) -> None:
    assert effect_rows(design, DESIGNS[design]) == PRINTED[design]


def test_cards_of_different_effect_show_different_symbols() -> None:
    shown = [repr(effect_rows(name, design)) for name, design in DESIGNS.items()]
    plain = [row for row in shown if row == "[]"]
    assert len(plain) == 3  # S84: Luxury Home, Mansion and Palace give their points only
    assert len(set(shown)) == len(shown) - len(plain) + 1
    assert len({repr(event_rows(kind)) for kind in EVENTS}) == len(EVENTS)


@pytest.mark.parametrize("seed", range(4))
def test_every_act_with_places_can_be_tapped_on_the_picture(seed: int) -> None:
    rules, random = rules_of(3), Random(seed)
    state, acts = rules.initial(), 0
    places = GAME.places
    assert places is not None
    while rules.result(state) is None:
        outcomes = rules.chance_outcomes(state)
        if outcomes:
            state = rules.apply(state, random.choice(outcomes).draw)
            continue
        legal = rules.legal_actions(state)
        view = rules.view(state, None)
        drawn = {cell["slot"] for cell in view["cells"] if cell["card"]} | {gap["slot"] for gap in view["gaps"]}
        drawn |= {"event"} if view["event"] else set()
        drawn |= {f"{seat['seat']}-{one['space']}" for seat in view["seats"] for one in seat["buildings"]}
        for action in legal:
            assert set(places(action)) <= drawn, rules.format(action)
            assert places(action) or _names_none(action)
        action = random.choice(legal)
        acts += 1
        state = rules.apply(state, action)
    assert acts > 50


def _names_none(action: Action) -> bool:
    return type(action).__name__ in ("Start", "Pass", "Bonus")
