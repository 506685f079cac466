"""The one-line text of a game's events, derived from the fields of their dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from companion.core.errors import NotationError
from companion.core.types import Action, Draw, Event, Seat


class Notation:
    """Format and parse events such as `A place r1c1|r1c2` (an action) or `deal r1c1 mine` (a draw).

    `actions` and `draws` map verbs to event types. A field of type str, int or Seat is a word, in the order of the
    fields; a field with a default value is left out when it has that value and is written `name=value` otherwise; a
    last field of type tuple[str, ...] takes the remaining words, one at least.
    """

    def __init__(self, game: str, actions: Mapping[str, type[Action]], draws: Mapping[str, type[Draw]]) -> None:
        self._game = game
        self._actions = dict(actions)
        self._draws = dict(draws)
        kinds: list[tuple[str, type[Action] | type[Draw]]] = [*self._actions.items(), *self._draws.items()]
        self._verbs = {kind: verb for verb, kind in kinds}
        self._fields = {kind: _fields_of(kind) for _, kind in kinds}

    def format(self, event: Event) -> str:
        """The canonical text of an event. Raises ValueError for another game's."""
        verb = self._verbs.get(type(event))
        if verb is None:
            raise ValueError(f"expected an event of {self._game}, got {type(event).__name__}")
        words = [event.seat.name, verb] if isinstance(event, Action) else [verb]
        for name, kind, default in self._fields[type(event)]:
            value = getattr(event, name)
            if kind is tuple:
                words.extend(value)
            elif default is MISSING:
                words.append(_word(value))
            elif value != default:
                words.append(f"{name}={_word(value)}")
        return " ".join(words)

    def parse(self, text: str) -> Event:
        """The event that `text` names. Raises NotationError that says which form was expected."""
        words = text.split()
        if not text.isascii():
            raise NotationError(f"expected plain letters, digits and signs, got {text!r}", remedy=self._forms())
        if not words:
            raise NotationError("expected an action or a draw, got nothing", remedy=self._forms())
        draw = self._draws.get(words[0])
        if draw is not None:
            make_draw: Callable[..., Draw] = draw
            return make_draw(**self._values(draw, words[1:], text))
        seat = Seat.__members__.get(words[0].upper()) if len(words) > 1 and len(words[0]) == 1 else None
        if seat is None:
            raise NotationError(f"expected a seat or a draw, got {words[0]!r} in {text!r}", remedy=self._forms())
        action = self._actions.get(words[1])
        if action is None:
            raise NotationError(f"expected what {seat.name} does, got {words[1]!r} in {text!r}", remedy=self._forms())
        make: Callable[..., Action] = action
        return make(seat, **self._values(action, words[2:], text))

    def well_formed(self, event: object) -> bool:
        """Whether this is an event of the game whose every field holds a value of its type, and none that must be
        named is an empty word."""
        known = self._fields.get(type(event))  # type: ignore[arg-type]
        if known is None or (isinstance(event, Action) and type(event.seat) is not Seat):
            return False
        for name, kind, default in known:
            value = getattr(event, name)
            if type(value) is not kind or (value == "" and default is MISSING):
                return False
            if isinstance(value, tuple) and any(type(word) is not str for word in value):
                return False
        return True

    def _values(self, kind: type[Action] | type[Draw], words: list[str], text: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        rest = list(words)
        for name, field_kind, default in self._fields[kind]:
            if field_kind is tuple and rest:
                values[name] = tuple(rest)
                rest = []
            elif default is MISSING and rest:
                values[name] = self._value(field_kind, rest.pop(0), kind, text)
            elif default is not MISSING and rest and rest[0].startswith(f"{name}="):
                values[name] = self._value(field_kind, rest.pop(0).partition("=")[2], kind, text)
            elif default is MISSING:
                raise NotationError(f"expected `{self._form(kind)}`, got {text!r}")
        if rest:
            raise NotationError(f"expected `{self._form(kind)}`, got {text!r}")
        return values

    def _value(self, kind: type, word: str, event: type[Action] | type[Draw], text: str) -> Any:
        if kind is Seat and word in Seat.__members__:
            return Seat[word]
        if kind is int and word.isdigit() and str(int(word)) == word:
            return int(word)
        if kind is str and word:
            return word
        wanted = {Seat: f"a seat ({', '.join(Seat.__members__)})", int: "a whole number"}.get(kind, "a word")
        raise NotationError(
            f"expected {wanted}, got {word!r} in {text!r}", remedy=f"The form is `{self._form(event)}`."
        )

    def _form(self, kind: type[Action] | type[Draw]) -> str:
        words = ["A", self._verbs[kind]] if issubclass(kind, Action) else [self._verbs[kind]]
        for name, field_kind, default in self._fields[kind]:
            if field_kind is tuple:
                words.append(f"{name.upper()}...")
            else:
                words.append(name.upper() if default is MISSING else f"[{name}={name.upper()}]")
        return " ".join(words)

    def _forms(self) -> str:
        actions = ", ".join(f"`{self._form(kind)}`" for kind in self._actions.values())
        draws = ", ".join(f"`{self._form(kind)}`" for kind in self._draws.values())
        return f"Actions: {actions}; draws: {draws}."


def _fields_of(kind: type[Action] | type[Draw]) -> tuple[tuple[str, type, Any], ...]:
    """(name, str | int | Seat | tuple, default or MISSING) of every field but an action's seat."""
    hints = get_type_hints(kind)
    own = [f for f in fields(kind) if not (f.name == "seat" and issubclass(kind, Action))]
    return tuple((f.name, getattr(hints[f.name], "__origin__", hints[f.name]), f.default) for f in own)


def _word(value: object) -> str:
    return value.name if isinstance(value, Seat) else str(value)
