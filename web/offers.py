"""What a client is offered to enter: acts, draws, and taking back its last act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from companion.core.game import Rules, State
from companion.core.secrecy import draws_told_by, public_now
from companion.core.types import Draw, Seat
from companion.draws.ceremony import Ceremony, Phase
from companion.draws.odds import odds
from companion.table.commands import Answer
from web.ports.tables import OpenTable
from web.roles.access import Client, Role
from web.speaker import Speaker

MOST_ACTIONS = 400
"""Legal acts listed for a page; more than these are found by their places or typed."""


def action_slots(action: Any) -> list[str]:
    """The places an act names, in its own order."""
    slots: list[str] = []
    for entry in fields(action):
        value = getattr(action, entry.name)
        if entry.name in ("slot", "slots", "source", "target", "to", "origin"):
            slots += [value] if isinstance(value, str) else list(value or ())
    return slots


def offered_acts(speaker: Speaker, rules: Rules, state: State, client: Client) -> Iterator[dict[str, Any]]:
    """The acts a client may enter: a seat its own, the referee those that are public or make something public, but not
    those that tell what a seat has in hand."""
    if client.role is Role.SPECTATOR:
        return
    for_seat_only, places = speaker.table.spec.for_seat_only, speaker.table.spec.places
    count = 0
    for action in rules.legal_actions(state):
        if client.role is Role.SEAT and action.seat is not client.seat:
            continue
        if client.role is Role.REFEREE and rules.is_secret(action) and not public_now(rules, state, action):
            continue
        private = for_seat_only is not None and for_seat_only(rules, action)
        if client.role is Role.REFEREE and private:
            continue
        count += 1
        if count > MOST_ACTIONS:
            return
        yield {
            "text": rules.format(action),
            "seat": action.seat.name,
            "kind": type(action).__name__,
            "sentence": speaker.prompter.offer(rules, state, action),
            "slots": action_slots(action) if places is None else list(places(action)),
            "private": private,
        }


def tells_own_draw(rules: Rules, draw: Draw, client: Client, ceremony: Ceremony) -> bool:
    """Whether a seat may enter this draw itself: a secret one of its own, while no digital bag makes the draws."""
    own = client.role is Role.SEAT and getattr(draw, "seat", None) is client.seat
    return own and rules.is_secret(draw) and ceremony.phase is not Phase.SEALED


def may_take_back(table: OpenTable, client: Client) -> str:
    """Whether a seat can take back what it did last: "alone", when everybody agrees ("asks"), or not at all ("")."""
    if client.seat is None:
        return ""
    plan = table.session.undo_plan(None, client.seat)
    if isinstance(plan, Answer):
        return ""
    return "alone" if set(plan.consents) <= {client.seat} else "asks"


def tells_the_draw(speaker: Speaker, rules: Rules, state: State, client: Client) -> bool:
    """Whether this client may enter the draw that is due: the referee a public one, a seat a secret one of its own."""
    ceremony = speaker.table.bag.ceremony
    draws = [outcome.draw for outcome in rules.chance_outcomes(state)]
    if client.role is Role.REFEREE:
        return not any(rules.is_secret(draw) for draw in draws)
    return bool(draws) and all(tells_own_draw(rules, draw, client, ceremony) for draw in draws)


def who_tells_the_draw(speaker: Speaker, rules: Rules, state: State) -> str:
    """Who enters the draw that is due: "bag" once it is sealed, "gathering" while it still is not, the letter of the
    seat whose secret it is, else "referee"; "" when none is due."""
    draws = [outcome.draw for outcome in rules.chance_outcomes(state)]
    if not draws:
        return ""
    phase = speaker.table.bag.ceremony.phase
    if phase is Phase.SEALED:
        return "bag"
    if phase in (Phase.GATHERING, Phase.OPENING):
        return "gathering"
    seat = getattr(draws[0], "seat", None) if rules.is_secret(draws[0]) else None
    return "referee" if seat is None else Seat(seat).name


def possible_draws(speaker: Speaker, rules: Rules, state: State, client: Client) -> list[dict[str, Any]]:
    """What can be drawn now; a draw that only its seat may see is shown to that seat, and only if it is to enter it."""
    chances = {line.label: line for line in odds(rules, state)}
    ceremony, _ = speaker.table.bag.seen()
    rows = []
    outcomes = rules.chance_outcomes(state)
    if outcomes and rules.is_secret(outcomes[0].draw):
        if client.seat is None or not tells_own_draw(rules, outcomes[0].draw, client, ceremony):
            return []
        outcomes = draws_told_by(speaker.table.spec, rules, state, client.seat)
    for outcome in outcomes:
        text = rules.format(outcome.draw)
        rows.append(
            {
                "text": text,
                "sentence": speaker.prompter.event(rules, outcome.draw),
                "face": getattr(outcome.draw, "tile", None) or getattr(outcome.draw, "card", None),
                "slot": getattr(outcome.draw, "slot", None),
                "chance": float(outcome.probability),
                "placed": text in chances and chances[text].can_be_placed,
            }
        )
    return rows
