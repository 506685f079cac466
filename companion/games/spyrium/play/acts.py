"""Every action of Spyrium but the activation of a card: what it changes."""

from __future__ import annotations

from companion.games.spyrium.actions import MOVE, SCORE, Bonus, Money, Pass, Place, Reuse, Start, Use, UseEvent
from companion.games.spyrium.edition.designs import (
    AUTOMATION,
    CAPITALIZATION,
    COMMERCE,
    ENGINEERING,
    EVENTS,
    POINTS_FOR_POUNDS,
    POUNDS_FOR_SPYRIUM,
    TAYLORISM,
    Building,
    EventKind,
    Symbol,
)
from companion.games.spyrium.edition.designs import Use as Way
from companion.games.spyrium.edition.tables import WORKERS, Tables
from companion.games.spyrium.play.activation import (
    has_technique,
    incline_technique,
    space_index,
    workers_beside,
)
from companion.games.spyrium.play.gains import (
    gain,
    grant_bonus,
    new_workers,
    put_in_gap,
    residence_action,
    take_from_gap,
    with_player,
)
from companion.games.spyrium.play.turns import after_action
from companion.games.spyrium.state import Player, State, Step

NO_CARD = "none"
CAPITALIZATION_POUNDS = 2  # S91
RESIDENCE_EVENT_SPYRIUM = 1  # S61
STRAIGHTEN_POUNDS = 1  # S64
POUNDS_PER_WORKER = 1  # S65
POUNDS, SPYRIUM, POINTS, PLAIN = "pounds", "spyrium", "points", "use"

EVENT_CHOICES: dict[EventKind, tuple[str, ...]] = {
    EventKind.TOKEN: (POUNDS, SPYRIUM, POINTS),
    EventKind.RESIDENCE: (MOVE, SCORE),
    EventKind.POINTS: tuple(map(str, POINTS_FOR_POUNDS)),
    EventKind.MONEY: tuple(map(str, POUNDS_FOR_SPYRIUM)),
    EventKind.STRAIGHTEN: (PLAIN,),
    EventKind.WORKER: (PLAIN,),
    EventKind.PLACE: (PLAIN,),
}


def place(t: Tables, s: State, action: Place) -> State:
    """S30: the worker stands in the gap."""
    return after_action(t, put_in_gap(s, action.seat, t.gap_index[action.gap]))


def start(_t: Tables, s: State, action: Start) -> State:
    """S32: the disc lies on Phase II; the same player acts at once."""
    return with_player(s, action.seat, s.players[action.seat]._replace(step=Step.ACTIVATION))


def pass_turn(t: Tables, s: State, action: Pass) -> State:
    """S47: no more actions this turn."""
    return after_action(t, with_player(s, action.seat, s.players[action.seat]._replace(step=Step.PASSED)))


def money(t: Tables, s: State, action: Money) -> State:
    """S40: a pound for every other worker beside the card; S91: two more with Capitalization."""
    seat = action.seat
    pounds = 0 if action.card == NO_CARD else workers_beside(t, s, t.slot_index[action.card]) - 1
    if has_technique(t, s.players[seat], CAPITALIZATION):
        pounds += CAPITALIZATION_POUNDS  # R-S7
    return after_action(t, gain(take_from_gap(s, seat, t.gap_index[action.gap]), seat, pounds=pounds))


def bonus(t: Tables, s: State, action: Bonus) -> State:
    """S52, R-S2: the bonus of choice; what else is due follows."""
    return after_action(t, grant_bonus(s, action.seat, action.choice))


def way_of(t: Tables, player: Player, place: int, way: int) -> Way | None:
    """The `way`-th use, from 1, of the player's building at `place`; None when the building has none such.

    S90: with Automation mines need no worker. S92: with Engineering each worker in a factory adds a point.
    """
    design = t.designs[player.buildings[place].kind]
    if not isinstance(design, Building) or not 1 <= way <= len(design.uses):
        return None
    use = design.uses[way - 1]
    workers, points = use.workers, use.points
    if Symbol.MINE in design.symbols and has_technique(t, player, AUTOMATION):
        workers = 0
    if Symbol.FACTORY in design.symbols and has_technique(t, player, ENGINEERING):
        points += workers
    return Way(workers, use.spyrium, use.gain_spyrium, points)


def run_building(t: Tables, s: State, seat: int, space: str, way: int) -> State:
    """S45: the building is inclined, its workers stand on it, its Spyrium is paid, its effect happens."""
    p = s.players[seat]
    place = space_index(p, space)
    use = way_of(t, p, place, way)
    assert use is not None
    built = p.buildings[place]
    built = built._replace(inclined=True, workers=built.workers + use.workers)
    buildings = (*p.buildings[:place], built, *p.buildings[place + 1 :])
    s = with_player(s, seat, p._replace(buildings=buildings, active=p.active - use.workers))
    return gain(s, seat, spyrium=use.gain_spyrium - use.spyrium, points=use.points)


def use(t: Tables, s: State, action: Use) -> State:
    """S45: an upright building is used; R-S6: by the option Taylorism's second use follows in the same action."""
    s = run_building(t, s, action.seat, action.space, action.way)
    if action.again:
        s = incline_technique(t, s, action.seat, TAYLORISM)
        s = run_building(t, s, action.seat, action.again, action.again_way)
    return after_action(t, s)


def reuse(t: Tables, s: State, action: Reuse) -> State:
    """S95: an inclined building is straightened and used again, costs paid again."""
    s = incline_technique(t, s, action.seat, TAYLORISM)
    return after_action(t, run_building(t, s, action.seat, action.space, action.way))


def use_event(t: Tables, s: State, action: UseEvent) -> State:
    """S31, S46, S60-S66: the player's disc lies on the event, whose effect happens."""
    seat = action.seat
    s = with_player(s, seat, s.players[seat]._replace(used_event=True))
    return after_action(t, _event_effect(t, s, action))


def _event_effect(t: Tables, s: State, action: UseEvent) -> State:
    seat, kind = action.seat, EVENTS[s.event]
    if kind is EventKind.TOKEN:  # S60
        if action.value:
            s = incline_technique(t, s, seat, COMMERCE)
        value = action.value or s.event_token
        return gain(s, seat, **{action.choice: value})
    if kind is EventKind.RESIDENCE:  # S61
        return residence_action(t, gain(s, seat, spyrium=-RESIDENCE_EVENT_SPYRIUM), seat, action.choice)
    if kind is EventKind.POINTS:  # S62
        paid = int(action.choice)
        return gain(s, seat, pounds=-paid, points=POINTS_FOR_POUNDS[paid])
    if kind is EventKind.MONEY:  # S63
        paid = int(action.choice)
        return gain(s, seat, spyrium=-paid, pounds=POUNDS_FOR_SPYRIUM[paid])
    if kind is EventKind.STRAIGHTEN:  # S64
        return run_building(t, gain(s, seat, pounds=-STRAIGHTEN_POUNDS), seat, action.space, action.way)
    if kind is EventKind.WORKER:  # S65
        return new_workers(gain(s, seat, pounds=-worker_event_pounds(s.players[seat])), seat, 1)
    return put_in_gap(s, seat, t.gap_index[action.gap])  # S66


def worker_event_pounds(player: Player) -> int:
    """S65: a pound for every worker owned."""
    return POUNDS_PER_WORKER * (WORKERS - player.reserve)
