"""What a player of Spyrium can do now, and what an act brought of itself, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.game import Rules, Told
from companion.core.messages import Message
from companion.core.types import Action, Event, Seat
from companion.games.spyrium.actions import (
    Activate,
    Bonus,
    Money,
    Pass,
    Place,
    Reuse,
    Start,
    Use,
    UseEvent,
)
from companion.games.spyrium.edition.designs import EVENTS
from companion.games.spyrium.edition.names import EVENT_NAMES
from companion.games.spyrium.edition.tables import TURNS, Tables
from companion.games.spyrium.play.activation import has_technique, space_index
from companion.games.spyrium.play.costs import POINTS_GAINED, SPYRIUM_GAINED, SPYRIUM_PAID
from companion.games.spyrium.play.gains import BONUS_POUNDS, FIRST_BONUS_AT
from companion.games.spyrium.state import NONE, Phase, Player, State, Step
from companion.games.spyrium.table.offers import GAINS, PAYS

DO_ONE = "You can now: {acts}."
CHOOSE_BONUS = "Choose your bonus: a new worker, or £{pounds}."
DOABLE: dict[type[Action], str] = {
    Place: "put a worker between two cards (active workers: {active})",
    Start: "go on to Phase II",
    Money: "take a worker back for money",
    Activate: "take a worker back to activate a card beside it",
    Use: "use a building of yours that stands upright",
    Reuse: "use a building again by Taylorism",
    UseEvent: "use the {event}",
    Pass: "pass for the rest of this turn",
}
"""What a player can do in a turn, by the type of the act, in the order in which it is told."""

CARD_BROUGHT = "{card}: {changes}."
SEAT_GOT = "{seat}: {changes}."
NO_CHANGE = "nothing is paid and nothing gained"
NEW_WORKERS = "new workers: {n}"
REVENUE_NOW = "the revenue is £{n} a turn from now on"
HAS_TECHNIQUE = "the technique {card} holds from now on"
BONUS_DUE = "{seat} has {points} points and chooses a bonus (S52)."
OTHER_BONUS = "{seat} has {points} points: the other bonus follows (S52)."
PASSED_ALREADY = "Passed already and therefore not asked: {seats} (S47)."
TURN_OVER = "Turn {turn} is over: the cards of the market and the event are discarded (S50)."
REVENUE = "{seat} gets £{pounds} as revenue (S20)."
EVENT_NOW = "In turn {turn} the {event} can be used (S21)."
NEXT_TURN = "Turn {turn} begins; {seat} is the first player."
LAST_TURN = "This is the last turn (S51)."
GAME_OVER = "The last turn is over (S51)."


def turn_words(rules: Rules, state: Any, seat: Seat) -> Told | None:
    """What `seat` can do now, as a message and its facts; None when nothing."""
    if not isinstance(state, State) or seat not in rules.to_act(state):
        return None
    if state.phase is Phase.BONUS:
        return CHOOSE_BONUS, (("pounds", BONUS_POUNDS),)
    kinds = {type(action) for action in rules.legal_actions(state)}
    facts: dict[str, Any] = {"active": state.players[seat].active}
    if state.event != NONE:
        facts["event"] = EVENT_NAMES[EVENTS[state.event]]
    return DO_ONE, (("acts", tuple(Message(text, **facts) for kind, text in DOABLE.items() if kind in kinds)),)


def what_followed(rules: Rules, before: Any, event: Event, after: Any) -> tuple[Told, ...]:
    """What `event` brought: what was paid and gained, a bonus, who is not asked any more, the next turn with its
    revenue and its event. Nothing in Spyrium is secret."""
    if not isinstance(before, State) or not isinstance(after, State):
        return ()
    t: Tables = rules.tables  # type: ignore[attr-defined]
    return tuple(_followed(t, before, event, after))


def _followed(t: Tables, b: State, event: Event, a: State) -> Iterator[Told]:
    if not isinstance(event, Action):
        if a.turn > b.turn:
            yield from _turn_began(t, a)
        return
    seat = event.seat
    was, has = b.players[seat], a.players[seat]
    revenue = t.track[has.residence] if a.turn > b.turn else 0  # S20: told apart from what the act brought
    changes = tuple(_changes(t, was, has, revenue))
    card = _card(t, b, event)
    if card:
        yield CARD_BROUGHT, (("card", card), ("changes", changes or (Message(NO_CHANGE),)))
    elif changes:
        yield SEAT_GOT, (("seat", seat), ("changes", changes))
    if a.phase is Phase.BONUS:
        yield BONUS_DUE, (("seat", seat), ("points", has.points))
    if has.points >= FIRST_BONUS_AT and _bonuses_used(has) - _bonuses_used(was) > isinstance(event, Bonus):
        yield OTHER_BONUS, (("seat", seat), ("points", has.points))
    if a.turn > b.turn or a.phase is Phase.OVER:
        yield TURN_OVER, (("turn", b.turn),)
        if a.phase is Phase.OVER:
            yield GAME_OVER, ()
        else:
            yield from _turn_began(t, a)
    elif a.current != seat:
        yield from _not_asked(t, b, a)


def _turn_began(t: Tables, a: State) -> Iterator[Told]:
    yield NEXT_TURN, (("turn", a.turn), ("seat", t.seats[a.first]))
    if a.turn == TURNS:
        yield LAST_TURN, ()
    for seat, player in zip(t.seats, a.players, strict=True):
        yield REVENUE, (("seat", seat), ("pounds", t.track[player.residence]))
    if a.event != NONE:
        yield EVENT_NOW, (("turn", a.turn), ("event", EVENT_NAMES[EVENTS[a.event]]))


def _not_asked(t: Tables, b: State, a: State) -> Iterator[Told]:
    """S47: who lies between the seat that acted and the one that acts next has passed."""
    seats, count = [], len(a.players)
    for step in range(1, count):
        seat = (b.current + step) % count
        if seat == a.current:
            break
        if a.players[seat].step is Step.PASSED:
            seats.append(t.seats[seat])
    if seats:
        yield PASSED_ALREADY, (("seats", tuple(seats)),)


def _card(t: Tables, b: State, event: Action) -> str:
    """The name of the card or event that the act is about; "" when it is about none."""
    if isinstance(event, Activate):
        return t.cards[b.market[t.slot_index[event.card]]].name
    if isinstance(event, (Use, Reuse)):
        player = b.players[event.seat]
        return t.cards[player.buildings[space_index(player, event.space)].kind].name
    if isinstance(event, UseEvent):
        return EVENT_NAMES[EVENTS[b.event]]
    return ""


def _changes(t: Tables, was: Player, has: Player, revenue: int) -> Iterator[Message]:
    """What one player has more or less of, but for the `revenue` of a new turn."""
    pounds, spyrium = has.money - was.money - revenue, has.spyrium - was.spyrium
    if pounds:
        yield Message(GAINS if pounds > 0 else PAYS, pounds=abs(pounds))
    if spyrium:
        yield Message(SPYRIUM_GAINED if spyrium > 0 else SPYRIUM_PAID, count=abs(spyrium))
    if has.points > was.points:
        yield Message(POINTS_GAINED, count=has.points - was.points)
    if has.reserve < was.reserve:
        yield Message(NEW_WORKERS, n=was.reserve - has.reserve)
    if has.residence != was.residence:
        yield Message(REVENUE_NOW, n=t.track[has.residence])
    for name, kind in t.techniques.items():
        if has_technique(t, has, name) and not has_technique(t, was, name):
            yield Message(HAS_TECHNIQUE, card=t.cards[kind].name)


def _bonuses_used(player: Player) -> int:
    return 2 - player.worker_bonus - player.money_bonus
