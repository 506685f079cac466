"""A second, plain implementation of Envyra's rounds, written from the clauses alone, to compare the rules with.

Mutable, by names, no tables, no bit masks. Standard and basic rules without cards; what chance brings is told to it.
"""

from __future__ import annotations

from itertools import combinations

from companion.games.envyra.edition.catalogue import load_catalogue


class SecondOpinion:
    """The table of a game whose grid is dealt; `act` takes the text of every event."""

    def __init__(self, players: int, grid: dict[str, str], first: str, bag: int, *, basic: bool = False) -> None:
        self.tiles = {tile.id: tile for tile in load_catalogue("sample").tiles}
        self.seats = "ABCD"[:players]
        self.most = 1 if basic else 2
        self.grid: dict[str, str] = dict(grid)  # slot -> tile
        self.cubes: dict[str, list[str]] = {slot: [] for slot in grid}
        self.slots = list(grid)
        self.won: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.first = first
        self.bag = bag  # how many tiles are in the bag
        self.end_in_bag = True
        self.boards: dict[str, list[str]] = {}
        self.ready: set[str] = set()
        self.queue: list[str] = []  # turns of Phase II still to come
        self.gaps: list[str] = []
        self.aside = False
        self.phase = "choose"

    def reserve(self, seat: str) -> int:
        """Cubes neither on the grid nor, after the reveal, on the board."""
        on_board = len(self.boards.get(seat, [])) if self.phase == "move" else 0
        return 5 - on_board - sum(cubes.count(seat) for cubes in self.cubes.values())

    def meets(self, seat: str, tile: str) -> bool:
        """E33."""
        owned = [self.tiles[t].theme for t in self.won[seat]]
        return all(owned.count(theme) >= self.tiles[tile].requires.count(theme) for theme in self.tiles[tile].requires)

    def legal(self) -> set[str]:
        """The texts of all legal actions."""
        if self.phase == "move":
            seat = self.queue[0]
            return {f"{seat} move {slot}" for slot in self.boards[seat] if self.meets(seat, self.grid[slot])}
        texts = set()
        if self.phase in ("choose", "reveal"):
            for seat in self.seats:
                if seat in self.ready and self.phase == "choose":
                    texts.add(f"{seat} take-back")
                elif not self.boards.get(seat):
                    sizes = range(1, min(self.most, self.reserve(seat)) + 1)
                    places = [slot for slot in self.slots if slot in self.grid]
                    groups = [group for size in sizes for group in combinations(places, size)]
                    texts |= {f"{seat} choose {' '.join(group)}" for group in groups}
                    texts |= {f"{seat} confirm"} if self.phase == "choose" else set()
        return texts

    def act(self, text: str) -> None:
        """Play one event."""
        words = text.split()
        if words[0] == "refill":
            self._refill(words[1], words[2])
            return
        seat, verb, *slots = words
        if verb == "take-back":
            self.ready.discard(seat)
            self.boards.pop(seat, None)
        elif verb == "move":
            self._move(seat, slots[0])
        else:
            self.ready.add(seat)
            if verb == "choose":
                self.boards[seat] = slots
            if len(self.ready) == len(self.seats):
                self.phase = "reveal"
            if self.phase == "reveal" and all(self.boards.get(s) for s in self.seats):
                start = self.seats.index(self.first)
                clockwise = [*self.seats[start:], *self.seats[:start]]
                self.queue = clockwise if self.most == 1 else clockwise + clockwise[::-1]
                self.phase = "move"
                self._pass_over()

    def _move(self, seat: str, slot: str) -> None:
        self.boards[seat].remove(slot)
        self.queue.pop(0)
        here = self.cubes[slot]
        here.append(seat)
        tile = self.grid[slot]
        if len(here) == self.tiles[tile].cubes:
            counts = {s: here.count(s) for s in here}
            tied = [s for s in counts if counts[s] == max(counts.values())]
            winner = max(tied, key=lambda s: len(here) - here[::-1].index(s))  # E41, R-07
            self.won[winner].append(tile)
            del self.grid[slot]
            self.cubes[slot] = []
            for board in self.boards.values():
                if slot in board:
                    board.remove(slot)
            if tile == "end":
                self.phase = "over"
                return
        self._pass_over()

    def _pass_over(self) -> None:
        while self.queue and not self.legal():
            self.queue.pop(0)
        if not self.queue:
            self.boards, self.ready, self.phase = {}, set(), "refill"
            self.gaps = [slot for slot in self.slots if slot not in self.grid]
            self._go_on()

    def _end_may_come(self) -> bool:
        return any(self.meets(seat, "end") for seat in self.seats)

    def _refill(self, slot: str, tile: str) -> None:
        self.bag -= 1
        if tile == "end":
            self.end_in_bag = False
            if not self._end_may_come():
                self.aside = True
                return
        self.grid[slot] = tile
        if self.aside:
            self.aside, self.end_in_bag = False, True
            self.bag += 1
        self.gaps.pop(0)
        self._go_on()

    def _go_on(self) -> None:
        if self.gaps and self.bag:
            if self.bag == 1 and self.end_in_bag and not self._end_may_come():
                self.phase = "over"  # E61
            return
        for seat in self.seats:
            if self.reserve(seat) == 0:  # E52
                self.cubes = {slot: [s for s in here if s != seat] for slot, here in self.cubes.items()}
        self.first = self.seats[(self.seats.index(self.first) + 1) % len(self.seats)]  # E53
        self.phase = "choose"
        if any(not any(self.meets(seat, tile) for tile in self.grid.values()) for seat in self.seats):
            self.phase = "stuck"  # E55: not played on here
