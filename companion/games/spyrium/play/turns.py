"""The course of a turn of Spyrium: what chance lays out, whose action it is, and how a turn and the game end."""

from __future__ import annotations

from companion.games.spyrium.actions import Deal, First, Future, FutureToken, Token
from companion.games.spyrium.edition.designs import EVENTS, Building, Character, EventKind
from companion.games.spyrium.edition.tables import (
    PERIOD_OF_TURN,
    POUNDS_AT_START,
    SPYRIUM_AT_START,
    TOKENS_OF_A_VALUE,
    TURNS,
    WORKERS,
    WORKERS_AT_START,
    Tables,
)
from companion.games.spyrium.play.gains import FIRST_BONUS_AT, SECOND_BONUS_AT, add_tokens, grant_bonus, one_token
from companion.games.spyrium.state import NO_TOKENS, NONE, Phase, Player, State, Step, Tokens


def initial_state(t: Tables) -> State:
    """S10-S12: the table before the first event is revealed."""
    player = Player(
        step=Step.PLACEMENT, used_event=False, active=WORKERS_AT_START, inactive=0, reserve=WORKERS - WORKERS_AT_START,
        money=POUNDS_AT_START, spyrium=SPYRIUM_AT_START, points=0, residence=0, buildings=(), techniques=(),
        inclined=(), kept=NO_TOKENS, worker_bonus=True, money_bonus=True,
    )  # fmt: skip
    return State(
        phase=Phase.FUTURE, turn=0, first=NONE, current=NONE, decks=t.decks, gone=(0,) * len(t.cards),
        market=(NONE,) * len(t.slots), tokens=(NO_TOKENS,) * len(t.slots),
        gaps=((0,) * len(t.seats),) * len(t.gaps), events_left=tuple(range(len(EVENTS))), event=NONE, event_token=0,
        future=NONE, future_token=0, stock=(TOKENS_OF_A_VALUE,) * 3, discard=NO_TOKENS,
        players=(player,) * len(t.seats), paid_money=0, paid_spyrium=0,
    )  # fmt: skip


def put(items: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """The counts with `more` added at `index`."""
    return (*items[:index], items[index] + more, *items[index + 1 :])


def drawable(s: State) -> Tokens:
    """S54: the tokens one of which comes next: the stock, or the discard pile when the stock is empty."""
    return s.stock if any(s.stock) else s.discard


def _take_token(s: State, value: int) -> State:
    stock, discard = (s.stock, s.discard) if any(s.stock) else (s.discard, NO_TOKENS)
    return s._replace(stock=add_tokens(stock, one_token(value), -1), discard=discard)


def tokens_wanted(t: Tables, kind: int) -> int:
    """S22: how many tokens a card of this kind gets when it comes into the market."""
    design = t.designs[kind]
    if isinstance(design, Character):
        return len(t.seats) - 1 if design.has_token else 0
    return 1 if isinstance(design, Building) and design.token is not None else 0


def slot_to_fill(t: Tables, s: State) -> int:
    """The slot that waits for a card, or the one that waits for a token; NONE when neither does."""
    if NONE in s.market:
        return s.market.index(NONE)
    if not any(drawable(s)):
        return NONE  # R-S5
    wanting = (i for i, kind in enumerate(s.market) if sum(s.tokens[i]) < tokens_wanted(t, kind))
    return next(wanting, NONE)


def reveal_future(t: Tables, s: State, draw: Future) -> State:
    """S12, S21: the event lies open; if it uses a token it waits for one (R-S5: if there is any)."""
    index = [EVENTS[i].value for i in s.events_left].index(draw.event)
    event = s.events_left[index]
    s = s._replace(events_left=(*s.events_left[:index], *s.events_left[index + 1 :]), future=event)
    if EVENTS[event] is EventKind.TOKEN and any(drawable(s)):
        return s._replace(phase=Phase.FUTURE_TOKEN)
    return _after_future(t, s)


def future_token(t: Tables, s: State, draw: FutureToken) -> State:
    """S12, S21: the token lies face up on the future event."""
    return _after_future(t, _take_token(s, draw.value)._replace(future_token=draw.value))


def _after_future(_t: Tables, s: State) -> State:
    return s._replace(phase=Phase.FIRST if s.turn == 0 else Phase.DEAL)


def first_player(t: Tables, s: State, draw: First) -> State:
    """S13: the seat gets the First player card and the first turn begins."""
    return begin_turn(t, s._replace(first=int(draw.who)))


def begin_turn(t: Tables, s: State) -> State:
    """S20, S21, S23: revenue, the future event becomes the turn's, all workers are active."""
    income = [t.track[p.residence] for p in s.players]
    players = tuple(
        p._replace(
            step=Step.PLACEMENT,
            used_event=False,
            active=WORKERS - p.reserve,
            inactive=0,
            money=p.money + pounds,
            buildings=tuple(b._replace(inclined=False, workers=0) for b in p.buildings),
            inclined=(),
        )
        for p, pounds in zip(s.players, income, strict=True)
    )
    return s._replace(
        phase=Phase.FUTURE, turn=s.turn + 1, current=s.first, event=s.future, event_token=s.future_token,
        future=NONE, future_token=0, players=players, paid_money=s.paid_money + sum(income),
    )  # fmt: skip


def deal(t: Tables, s: State, draw: Deal) -> State:
    """S22: the card lies in the market."""
    kind, period = t.kind_index[draw.card], PERIOD_OF_TURN[s.turn - 1]
    deck = put(s.decks[period], kind, -1)
    decks = (*s.decks[:period], deck, *s.decks[period + 1 :])
    slot = t.slot_index[draw.slot]
    return _lay_out(t, s._replace(decks=decks, market=(*s.market[:slot], kind, *s.market[slot + 1 :])))


def card_token(t: Tables, s: State, draw: Token) -> State:
    """S22: the token lies on the market card."""
    slot = t.slot_index[draw.slot]
    s = _take_token(s, draw.value)
    here = add_tokens(s.tokens[slot], one_token(draw.value))
    return _lay_out(t, s._replace(tokens=(*s.tokens[:slot], here, *s.tokens[slot + 1 :])))


def _lay_out(t: Tables, s: State) -> State:
    if NONE in s.market:
        return s
    return s._replace(phase=Phase.TOKEN if slot_to_fill(t, s) != NONE else Phase.PLAY)


def after_action(t: Tables, s: State) -> State:
    """S52, S24: a bonus that is due, then the next player clockwise who has not passed, or the end of the turn."""
    player = s.players[s.current]
    if player.points >= SECOND_BONUS_AT and player.worker_bonus != player.money_bonus:
        s = grant_bonus(s, s.current, "worker" if player.worker_bonus else "money")  # S52: the other one
    elif player.points >= FIRST_BONUS_AT and player.worker_bonus and player.money_bonus:
        return s._replace(phase=Phase.BONUS)
    for step in range(1, len(s.players) + 1):
        seat = (s.current + step) % len(s.players)
        if s.players[seat].step is not Step.PASSED:
            return s._replace(phase=Phase.PLAY, current=seat)
    return _end_turn(t, s)


def _end_turn(t: Tables, s: State) -> State:
    """S50: market and event are discarded, the first player passes left; S51: after turn 6 the game is over."""
    gone, discard = s.gone, s.discard
    for kind, tokens in zip(s.market, s.tokens, strict=True):
        gone = put(gone, kind, 1) if kind != NONE else gone
        discard = add_tokens(discard, tokens)
    discard = add_tokens(discard, one_token(s.event_token))
    s = s._replace(
        gone=gone, discard=discard, market=(NONE,) * len(t.slots), tokens=(NO_TOKENS,) * len(t.slots),
        event=NONE, event_token=0, first=(s.first + 1) % len(s.players),
    )  # fmt: skip
    if s.turn == TURNS:
        return s._replace(phase=Phase.OVER, current=NONE)
    return begin_turn(t, s)
