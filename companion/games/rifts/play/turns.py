"""The course of Rifts of N'Norya: what comes next, from the set-up through every turn to the end."""

from __future__ import annotations

from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.play.combat import after_round, drawer, fill_hand, gold_due, may_be_down, next_to_draw
from companion.games.rifts.play.geography import sites
from companion.games.rifts.play.growth import add_enemy, spawn_sites
from companion.games.rifts.play.market import place_to_fill
from companion.games.rifts.play.moving import begin_turn, moves_at_start
from companion.games.rifts.state import NONE, Fight, Mage, Phase, State, with_mage


def initial_state(t: Tables) -> State:
    """N1-N4: decks are shuffled, nothing is laid out yet."""
    empty = (0,) * len(t.cards)
    mages = tuple(
        Mage(
            cell=NONE, resources=(0, 0, 0), gold=0, vanquished=0, items=(False, False, False), relics=0, down=False,
            hand=empty, deck=deck, discard=empty,
        )
        for deck in t.decks
    )  # fmt: skip
    return State(
        phase=Phase.MARKET, turn=0, current=0, moves=NONE, withstood=(), spawning=(), explored=False, tile=NONE,
        corners=(), stack=(1 << len(t.tiles)) - 1, aside=0, land=(), enemies=0, crowd=(), rifts=(),
        temples=(NONE, NONE, NONE), taken=0, destroyed=0, tokens=t.enemies, book=t.book,
        market=(NONE,) * len(t.places), gone=empty, mages=mages, drawing=0, fight=None, ended="",
    )  # fmt: skip


def advance(t: Tables, s: State) -> State:
    """The state in which chance or a seat is awaited again, after everything that follows by itself has happened."""
    while True:
        if s.ended:
            return s._replace(phase=Phase.OVER)
        ready, s = _step(t, s)
        if ready:
            return s


def _step(t: Tables, s: State) -> tuple[bool, State]:
    """Whether the state waits for somebody, and the state after the next thing that happens by itself."""
    if s.drawing:
        return _draw(t, s)
    if place_to_fill(s) != NONE:
        return True, s._replace(phase=Phase.MARKET)
    if s.turn == 0:
        return _set_up(t, s)
    if s.fight is not None:
        return _fight(s, s.fight)
    if s.moves != NONE:
        if s.mages[s.current].down:  # N41: knocked out, so the turn is over
            return False, begin_turn(t, s, (s.current + 1) % len(s.mages))
        return True, s._replace(phase=Phase.ACT)
    return _grow(t, s)


def _draw(t: Tables, s: State) -> tuple[bool, State]:
    """N30: who draws, or that all hands are full; a deck that has run out is shuffled anew from the discard pile."""
    if t.real_hands:
        return _draw_unseen(t, s)
    seat = drawer(s)
    if seat == NONE:
        return False, s._replace(drawing=0)
    mage = s.mages[seat]
    if not any(mage.deck):
        s = with_mage(s, seat, mage._replace(deck=mage.discard, discard=(0,) * len(mage.discard)))
    return True, s._replace(phase=Phase.HAND)


def _draw_unseen(t: Tables, s: State) -> tuple[bool, State]:
    """R-N17: the next hand of real cards is filled; who may hold four Wounds now is asked."""
    seat = next_to_draw(s)
    before = s.mages[seat]
    mage = fill_hand(t, before)
    s = with_mage(s, seat, mage)
    if mage.held > before.held and may_be_down(t, mage):
        return True, s._replace(phase=Phase.WOUNDS)
    return False, s._replace(drawing=s.drawing & ~(1 << seat))


def _set_up(t: Tables, s: State) -> tuple[bool, State]:
    """N1: hands of five; N2: mages on the starting tile, in the order of the seats (R-N15)."""
    if not any(mage.hand_size for mage in s.mages):
        return False, s._replace(drawing=(1 << len(s.mages)) - 1)
    waiting = [seat for seat, mage in enumerate(s.mages) if mage.cell == NONE]
    if waiting:
        return True, s._replace(phase=Phase.START, current=waiting[0])
    return False, begin_turn(t, s, 0)


def _fight(s: State, fight: Fight) -> tuple[bool, State]:
    """The next step of a fight."""
    if fight.asked:
        return True, s._replace(phase=Phase.JOIN)
    if fight.won is None:
        return True, s._replace(phase=Phase.CAST)
    if gold_due(fight):
        return True, s._replace(phase=Phase.GOLD)
    if not fight.settled:
        return True, s._replace(phase=Phase.SHARE)
    return False, after_round(s)


def _grow(t: Tables, s: State) -> tuple[bool, State]:
    """R-N3: rifts spawn; N10: a tile is drawn and laid; then the mage moves."""
    if s.spawning:
        where = spawn_sites(t, s, s.rifts[s.spawning[0]].cell)
        if not where:
            return False, s._replace(ended="N6")
        if len(where) > 1:
            return True, s._replace(phase=Phase.SPAWN)
        return False, add_enemy(s, where[0])._replace(spawning=s.spawning[1:])
    if not s.explored:
        return True, s._replace(phase=Phase.LOCATION)
    if s.tile != NONE:
        if sites(t, s.land, s.tile).legal:
            return True, s._replace(phase=Phase.PLACE)
        return False, s._replace(tile=NONE, aside=s.aside | 1 << s.tile)  # R-N6
    if s.corners:
        return True, s._replace(phase=Phase.TEMPLE)
    mage = s.mages[s.current]
    return False, with_mage(s, s.current, mage._replace(down=False))._replace(moves=moves_at_start(mage))
