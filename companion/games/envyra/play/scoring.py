"""Scores of Envyra line by line: points on tiles, the best sets, Equilibrium cards; and who wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from companion.core.errors import DataError
from companion.core.types import Face, Result, ScoreLine, Seat, SeatScore
from companion.games.envyra.edition.components import SYMBOLS, THEMES, Card, Catalogue, Theme, Tile
from companion.games.envyra.edition.names import THEME_WORDS, card_name
from companion.games.envyra.edition.tables import Tables, bits
from companion.games.envyra.play.sets import SET_POINTS, best_sets
from companion.games.envyra.state import Phase, State

SET_LABELS = {
    2: "A set of two different symbols: {theme}",
    3: "A set of three different symbols: {theme}",
    4: "A set of four different symbols: {theme}",
}


def score_tiles(seat: Seat, tiles: Sequence[Tile], cards: Sequence[tuple[str, Card, str, bool]] = ()) -> SeatScore:
    """The score of a player who captured `tiles` and has `cards` (clause, card, its name, whether it counts)."""
    points = sum(t.vp for t in tiles)
    lines = [ScoreLine("E65", "Points on captured tiles", points, (("count", len(tiles)),), tuple(t.id for t in tiles))]
    set_points = 0
    for theme in THEMES:
        set_lines = _theme_lines(theme, [t for t in tiles if t.theme is theme])
        set_points += sum(line.points for line in set_lines)
        lines += set_lines
    card_points = 0
    for clause, card, name, counts in cards:
        label = "Equilibrium card {card}" if counts else "Equilibrium card {card}: symbols not complete"
        got = card.points if counts else 0
        card_points += got
        lines.append(ScoreLine(clause, label, got, (("card", name),), (card.id,)))
    total = points + set_points + card_points  # E65
    owns_end = int(any(t.theme is Theme.END for t in tiles))
    return SeatScore(seat, tuple(lines), total, (set_points, owns_end))  # E67


def _theme_lines(theme: Theme, tiles: list[Tile]) -> list[ScoreLine]:
    """E66: one line a set, and one without points for the tiles that are in no set."""
    by_symbol: dict[int, list[Tile]] = defaultdict(list)
    for tile in tiles:
        by_symbol[tile.symbol].append(tile)
    _, sets = best_sets(tuple(len(by_symbol[n]) for n in range(1, SYMBOLS + 1)))
    word, lines = (("theme", THEME_WORDS[theme]),), []
    for chosen in sets:
        members = tuple(by_symbol[n + 1].pop(0).id for n in chosen)
        lines.append(ScoreLine("E66", SET_LABELS[len(chosen)], SET_POINTS[len(chosen)], word, members))
    rest = tuple(t.id for left in by_symbol.values() for t in left)
    if rest:
        lines.append(ScoreLine("E66", "In no set: {theme}", 0, word, rest))
    return lines


def seat_scores(t: Tables, s: State) -> tuple[SeatScore, ...]:
    """The score of every seat as if the game ended now; a secret card that the companion knows is counted."""
    scores = []
    for seat in t.seats:
        owned = s.owned[seat]
        cards = [
            ("E71", t.cards[card], t.card_names[card], True)
            for card, holder in zip(s.cards.open, s.cards.taken, strict=True)
            if holder == seat
        ]
        if s.cards.hands and s.cards.hands[seat] >= 0:
            card = s.cards.hands[seat]
            cards.append(("E72", t.cards[card], t.card_names[card], t.completes(card, owned)))
        scores.append(score_tiles(seat, [t.tiles[i] for i in bits(owned)], cards))
    return tuple(scores)


def result(t: Tables, s: State) -> Result | None:
    """How the game ended and who won (E67), or None while it runs."""
    if s.phase is not Phase.OVER:
        return None
    scores = seat_scores(t, s)
    best = max((x.total, *x.tiebreaks) for x in scores)
    winners = tuple(x.seat for x in scores if (x.total, *x.tiebreaks) == best)
    by_points = sum(x.total == best[0] for x in scores) == 1
    return Result(s.over, scores, winners, "E65" if by_points else "E67")


def check_faces(catalogue: Catalogue, faces: tuple[Face, ...]) -> None:
    """Raise DataError for more copies of a tile than the box has: the tally would be silently wrong."""
    copies: dict[object, list[str]] = {}
    for tile in catalogue.tiles:
        copies.setdefault(tile.look, []).append(tile.id)
    for same in copies.values():
        named = sum(name in same for name in faces)
        if named > len(same):
            message = f"{named} tiles like {same[0]} are named, the box has {len(same)}"
            raise DataError(message, where="score", remedy="Correct the list.")


def score_faces(catalogue: Catalogue, faces: tuple[Face, ...]) -> SeatScore:
    """The tally of one player's captured tiles and Equilibrium cards, each counted as often as it is named.

    A card counts when the tiles show all its symbols. Raises DataError naming every face the catalogue does not have.
    """
    tiles, cards = {t.id: t for t in catalogue.tiles}, {c.id: c for c in catalogue.cards}
    unknown = [f for f in faces if f not in tiles and f not in cards]
    if unknown:
        raise DataError(
            f"no tile or card is called {', '.join(sorted(set(unknown)))}",
            where=catalogue.id,
            remedy="`companion score --list` shows the names.",
        )
    mine = [tiles[f] for f in faces if f in tiles]
    symbols = {(t.theme, t.symbol) for t in mine}
    shown = [cards[f] for f in faces if f in cards]
    rows = [("E71", card, card_name(catalogue, card), symbols.issuperset(card.symbols)) for card in shown]
    return score_tiles(Seat.A, mine, rows)
