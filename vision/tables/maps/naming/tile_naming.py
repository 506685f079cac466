"""Names the tiles on a map by their spaces: in what order these are read, and which of them again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.core.types import Slot
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_faces import SpaceFaces
from vision.tables.maps.naming.space_votes import SPACES_AGREE, SpaceVotes
from vision.tables.place import ACCEPTED, EMPTY_P, Laid, PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap, SpaceReading

# Misfit of the coarse ranking from which a space is read closely only beside a printed one, whatever the ranking says
# there: a token may hide much of it. On rendered maps (seed 601) printed spaces have up to 0.013, plain tables 0.06; a
# token that hides much of a print can make it 0.12.
NOTHING_LIKE_IT = 0.045


@dataclass(frozen=True, slots=True)
class NamedTiles:
    """The tiles that the `spaces` add up to: `slots`, those `used` by tiles and what is `shown`, as `SpaceVotes.named`
    says."""

    spaces: dict[Slot, SpaceReading]
    slots: dict[Slot, PlaceReading]
    used: set[Slot]
    shown: dict[Slot, SpaceOnMap]


class TileNaming:
    """Names the tiles in one picture, of which `faces` reads the spaces and `table` is what lies around them bare."""

    def __init__(self, plan: MapPlan, votes: SpaceVotes, faces: SpaceFaces, table: BareTable) -> None:
        self._plan, self._votes, self._faces, self._table = plan, votes, faces, table

    def named(
        self,
        kept: Mapping[Slot, SpaceReading],
        unread: Sequence[Slot],
        known: Mapping[Slot, PlaceReading],
        lay: Sequence[Laid],
        before: Mapping[Slot, SpaceReading] | None,
        then: Mapping[Slot, PlaceReading] | None,
    ) -> NamedTiles:
        """The tiles, by the spaces that are `kept` as they were and those still `unread`.

        `known`: places of which nothing is read. `lay`: the tiles that lay there before. `before`: the spaces as they
        were read when those that are kept were. `then`: what was last known of every place.
        """
        read, told = self._one_by_another(unread, lay)
        spaces = {**kept, **read}
        spaces = {slot: spaces[slot] for slot in self._plan.spaces_mm if slot in spaces}
        closely = set() if before is None else set(self._beside_known(before))
        printed = [slot for slot, space in spaces.items() if space.likeness >= LIKE_A_FACE]
        # a tile that lay there is no bare table, though pieces or odd light hide its print
        printed = list(dict.fromkeys([*printed, *self._plan.spaces_of(lay)]))
        beside = [
            slot for slot in self._beside_known(spaces)
            if slot not in told and (before is None or slot not in closely or spaces[slot] is not before[slot])
        ]
        spaces |= told | self._faces.read(self._table.not_empty(beside, printed), None)
        come = [] if then is None else self._come(then, spaces, unread, printed)
        maybe = self._faces.read(come, None)
        shown = self._votes.named(spaces | maybe, known)[2] if come else {}
        spaces |= {slot: one for slot, one in maybe.items() if slot in shown or one.is_clear}  # else light has come
        named = NamedTiles(spaces, *self._votes.named(spaces, known))
        faint = self._faintly_shown(named, set(unread))
        if faint:
            spaces |= faint
            named = NamedTiles(spaces, *self._votes.named(spaces, known))
        unnamed = self._unnamed(named, set(unread), printed)
        if not unnamed:
            return named
        spaces |= self._faces.in_all_turns(unnamed)
        return NamedTiles(spaces, *self._votes.named(spaces, known))

    def _one_by_another(
        self, slots: Sequence[Slot], lay: Sequence[Laid]
    ) -> tuple[dict[Slot, SpaceReading], dict[Slot, SpaceReading]]:
        """The spaces as `SpaceFaces.read` reads them, in the order in which one saves others: first those of the tiles
        that `lay` there before or that others clearly belong to, in the turn of the tile, in which most need no other
        look, until so many agree that the rest show their print without being read; then some that do not touch. And
        what those of the spaces show that were passed over, and of whose tile so many agree."""
        out: dict[Slot, SpaceReading] = {}
        in_turn: set[Slot] = set()
        while True:
            told = self._votes.borne_out(out)
            left = [slot for slot in slots if slot not in out and slot not in told]
            passed_over = [slot for slot, one in out.items() if one.face is None and slot not in told]
            turns = self._votes.next_turns(out, lay, set(left) - in_turn)
            turns = turns or self._votes.next_turns(out, lay, set(passed_over) - in_turn)
            if turns:
                glanced = self._at_a_glance(turns, out)
                out |= glanced
                closely = {slot: turn for slot, turn in turns.items() if slot not in glanced}
                out |= self._faces.in_turns(closely)
                in_turn |= closely.keys()
            elif left:
                out |= self._faces.read(self._plan.apart(left), NOTHING_LIKE_IT)
            else:
                hidden = {slot: one for slot, one in told.items() if slot in out}
                return out | {slot: told[slot] for slot in slots if slot in told and slot not in hidden}, hidden

    def _at_a_glance(self, slots: Collection[Slot], read: Mapping[Slot, SpaceReading]) -> dict[Slot, SpaceReading]:
        """Those of the spaces that are told by a first look, as one that was `read` has foretold: by chance it would
        not be likest by far just that face of all faces in just that of six turns."""
        foretold = self._votes.foretold(read)
        told = self._faces.at_a_glance([slot for slot in slots if slot in foretold], NOTHING_LIKE_IT)
        return {
            slot: one for slot, (face, turn) in told.items() for one in foretold[slot]
            if (one.face, one.turn) == (face, turn)
        }  # fmt: skip

    def _beside_known(self, spaces: Mapping[Slot, SpaceReading]) -> list[Slot]:
        """The spaces passed over that lie beside one that shows a face: pieces have several, and lie together."""
        printed = [slot for slot, space in spaces.items() if space.likeness >= LIKE_A_FACE]
        return self._plan.beside([slot for slot, space in spaces.items() if space.face is None], printed)

    def _come(
        self, then: Mapping[Slot, PlaceReading], spaces: Mapping[Slot, SpaceReading], read: Collection[Slot],
        printed: Sequence[Slot],
    ) -> list[Slot]:
        """The spaces passed over now that were bare table `then` and are not, where several lie together: what has come
        there may be a tile laid far from the others, in light in which nothing looked like it at first."""
        bare_then = [
            slot for slot in read if spaces[slot].face is None and slot in then
            and then[slot].state is PlaceState.EMPTY and then[slot].p == EMPTY_P
        ]
        come = self._table.not_empty(bare_then, printed)
        return [slot for slot in come if len(self._plan.beside(come, [slot])) >= SPACES_AGREE]

    def _faintly_shown(self, tiles: NamedTiles, read: Collection[Slot]) -> dict[Slot, SpaceReading]:
        """What spaces show closely in the turn of a tile that others of it faintly speak for, worn or in poor light,
        where as many show just its faces as must agree: of tiles without a name of which one was `read` now."""
        free = {slot: one for slot, one in tiles.spaces.items() if slot not in tiles.shown}
        maybe = {
            laid: faces for laid, faces in self._votes.perhaps_lie(free).items() if not faces.keys().isdisjoint(read)
        }
        closely = self._faces.in_turn([(slot, turn) for (_, _, turn), faces in maybe.items() for slot in faces])
        agreeing: list[dict[Slot, SpaceReading]] = []
        for (_, _, turn), faces in maybe.items():
            both = ((slot, closely[slot, turn], face) for slot, face in faces.items())
            agreeing.append({slot: one for slot, one, face in both if one.face == face and one.p >= ACCEPTED})
        out: dict[Slot, SpaceReading] = {}
        for shown in sorted(agreeing, key=len):  # where two tiles may lie, that for which more speak
            if len(shown) >= SPACES_AGREE:
                out |= {slot: one for slot, one in shown.items() if not free[slot].is_clear}
        return out

    def _unnamed(self, tiles: NamedTiles, read: Collection[Slot], printed: Sequence[Slot]) -> list[Slot]:
        """The spaces that show print of no tile that is named, and those beside them where one of these was `read` now
        and more than bare table is seen beside those `printed` at first."""
        spaces, shown = tiles.spaces, tiles.shown
        strange = [s for s, space in spaces.items() if space.likeness >= LIKE_A_FACE and s not in shown]
        here = self._plan.beside([s for s in spaces if s not in shown and s not in strange], strange)
        if not set(read) & {*strange, *here}:
            return []
        return [*strange, *self._table.not_empty(here, printed)]
