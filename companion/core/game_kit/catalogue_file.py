"""A catalogue file from its header to its last piece, as every game reads its own, and what every edition has."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from companion.core.errors import DataError
from companion.core.game_kit.catalogue_reader import (
    HEADER,
    PROVENANCES,
    Found,
    LineOf,
    Problems,
    Provenance,
    TableReader,
    line_finder,
    refuse_problems,
)

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Edition:
    """What every catalogue has beside its pieces: `provenance` maps (id of a piece, key) to where the value comes from;
    `text` is the file itself."""

    id: str
    title: str
    provenance: Mapping[tuple[str, str], Provenance]
    text: str

    @property
    def has_sample_values(self) -> bool:
        """Whether any value is invented; whoever shows such a catalogue says so."""
        return Provenance.SAMPLE in self.provenance.values()


class CatalogueFile:
    """A catalogue being read. What is wrong is remembered until `refuse` tells all of it at once.

    `id` and `title` are those of its header; `provenance` grows with each piece that is `done`.
    """

    id: str
    title: str
    problems: Problems
    line_of: LineOf
    provenance: dict[tuple[str, str], Provenance]

    def __init__(
        self, text: str, where: str, game: str, form: str,
        parse: Callable[[str], Mapping[str, object]] = tomllib.loads,
    ) -> None:  # fmt: skip
        """Reads the header of the catalogue of `game` in `text`; `where` names its source, `form` is the document that
        shows the form, `parse` gives its tables or raises ValueError. Raises DataError when it gives none."""
        self.text, self._where, self._form = text, where, form
        try:
            document = parse(text)
        except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError and names line and column
            raise DataError(f"not a catalogue: {error}", where=where, remedy=f"{form} shows the form.") from None
        self.problems, self.line_of, self.provenance = Problems(), line_finder(text), {}
        self._default = Provenance.SAMPLE.value
        self._top = self._reader("", 0, document)
        header = self.table(HEADER)
        header.choice("game", (game,))
        self.id, self.title = header.text("id"), header.text("title")
        self._default = header.choice("provenance", PROVENANCES)
        header.finish()

    def table(self, name: str, default: Mapping[str, object] | None = None) -> TableReader:
        """The table written as [name]; one that is missing is `default`, or a problem."""
        return self._reader(name, 0, self._top.table(name, default))

    def pieces(self, name: str, *, optional: bool = False) -> Iterator[TableReader]:
        """The tables written as [[name]], in the order of the file; none is a problem unless `optional`."""
        for number, entry in enumerate(self._top.tables(name, optional=optional)):
            yield self._reader(name, number, entry)

    def done(self, reader: TableReader, piece: str) -> None:
        """All of a table was read: a problem for every key that nobody asked for; its values are those of `piece`."""
        reader.finish()
        self.provenance.update({(piece, key): Provenance(origin) for key, origin in reader.provenance.items()})

    def finish(self) -> None:
        """All tables were asked for: a problem for every other one."""
        self._top.finish()

    def judged(self, edition: E, count_problems: Callable[[E, LineOf], Iterable[Found]]) -> E:
        """The edition when nothing is wrong with it; what is counted over all its pieces is asked when each of them
        could be read. Raises as `refuse`."""
        if not self.problems.found:
            self.problems.extend(list(count_problems(edition, self.line_of)))
        self.refuse()
        return edition

    def refuse(self) -> None:
        """Raises DataError that lists every problem with its line and key, when there is any."""
        refuse_problems(self.problems, self._where, self._form)

    def _reader(self, name: str, number: int, raw: Mapping[str, object]) -> TableReader:
        return TableReader(name, number, raw, self.problems, self.line_of, self._default)
