"""Facts about exports: they come back whole, every changed byte is found with its line, no bytes make a traceback."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_kit import ScriptedBag, begin, play, resume
from toy_game import toy_rules

from companion.core.digest import canonical_json, digest
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.types import Seat
from companion.table.commands import DrawNext, Note, Overrule, Prove, Topic, Undo
from companion.table.record.replay import replay
from companion.table.record.store import Store
from companion.table.record.transfer import export_lines, read_export

BOTH = (Seat.A, Seat.B)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A session with a record of every kind, exported."""
    with Store(tmp_path_factory.mktemp("export") / "record.sqlite") as store:
        with begin(store, bag=ScriptedBag(0, 1)) as session:
            session.ask(Prove(body={"step": "commit"}))
            play(session, "A hide 2", "B hide 3")
            session.ask(DrawNext())
            session.ask(Undo(to=2, consents=BOTH))
            session.ask(Note(topic=Topic.REMARK, text="ľahšie čaj \n  𝄞"))
            session.ask(Overrule(state=session.rules.dump(session.state), why="as it lies", consents=BOTH))
            play(session, "A hide 1", "B hide 2", "token red")
        return "".join(export_lines(store, "toy-1")).encode("utf-8")


def read(data: bytes) -> int:
    """Read a whole export; how many records it has."""
    return sum(1 for _ in read_export(io.BytesIO(data), "file")[1])


def test_an_export_comes_back_the_same_in_another_store(exported: bytes, tmp_path: Path) -> None:
    with Store(tmp_path / "other.sqlite") as other:
        header, records = read_export(io.BytesIO(exported), "file")
        other.add(header, records)
        assert "".join(export_lines(other, "toy-1")).encode("utf-8") == exported
        with resume(other) as session:
            assert session.state.points == (0, 2)


def test_an_export_replays_without_the_catalogues_file(exported: bytes) -> None:
    header, records = read_export(io.BytesIO(exported), "file")
    result = replay(toy_rules(header.catalogue_text), records)
    assert result.difference is None
    assert dict(result.kinds) == {"setup": 1, "proof": 1, "event": 6, "undo": 1, "note": 1, "overrule": 1}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_byte_is_found_with_its_line(exported: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(exported) - 1))
    changed = bytearray(exported)
    changed[place] ^= data.draw(st.integers(1, 255))
    line = exported[:place].count(b"\n") + 1
    with pytest.raises(CompanionError) as caught:
        read(bytes(changed))
    named = int(caught.value.where.removeprefix("file, line ").split(",")[0])
    # A line feed that is lost or gained moves what follows; anything else is found on its own line.
    assert (
        named in (line, line + 1)
        if b"\n" in (exported[place : place + 1], bytes(changed[place : place + 1]))
        else (named == line)
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 10_000))
def test_a_file_that_was_cut_off_is_refused(exported: bytes, cut: int) -> None:
    with pytest.raises(CompanionError, match=r"cut off|no exported session|ends here"):
        read(exported[: cut % len(exported)])


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_line(data: bytes) -> None:
    with pytest.raises(CompanionError, match="file, line 1"):
        read(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_in_any_key_is_refused_also_with_right_hashes(exported: bytes, data: st.DataObject) -> None:
    lines = exported.decode("utf-8").splitlines()
    which = data.draw(st.integers(0, len(lines) - 1))
    parsed = json.loads(lines[which])
    key = data.draw(st.sampled_from(sorted(parsed)))
    value = data.draw(json_values)
    parsed[key] = value
    parsed["hash"] = digest_or_zero({k: v for k, v in parsed.items() if k != "hash"})
    lines[which] = json.dumps(parsed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    changed = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
    if changed != exported:
        with pytest.raises(CompanionError, match=f"file, line ({which + 1}|{which + 2})"):
            read(changed)


def digest_or_zero(value: object) -> str:
    try:
        return digest(value)
    except ValueError:
        return "0" * 64


NASTY: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("empty", lambda _: b""),
    ("line feeds", lambda _: b"\n" * 5),
    ("deep", lambda _: b"[" * 100_000 + b"\n"),
    ("deep object", lambda _: b'{"a":' * 50_000 + b"\n"),
    ("huge number", lambda _: b'{"format":' + b"9" * 10_000 + b"}\n"),
    ("infinity", lambda _: b'{"format":Infinity}\n'),
    ("lone surrogate", lambda _: b'{"format":"\\ud800"}\n'),
    ("not utf-8", lambda _: b'{"format":"\xff"}\n'),
    ("no line feed", lambda data: data[:-1]),
    ("carriage returns", lambda data: data.replace(b"\n", b"\r\n")),
    ("white space", lambda data: data.replace(b",", b", ", 1)),
    ("a line more", lambda data: data + data.splitlines(keepends=True)[-1]),
    ("a byte more", lambda data: data + b" "),
    ("lines swapped", lambda data: b"".join(sorted(data.splitlines(keepends=True), reverse=True))),
    ("a line less", lambda data: b"".join(data.splitlines(keepends=True)[:3] + data.splitlines(keepends=True)[4:])),
    ("twice", lambda data: data + data),
]


@pytest.mark.parametrize("make", [make for _, make in NASTY], ids=[name for name, _ in NASTY])
def test_nasty_files_are_refused(exported: bytes, make: Callable[[bytes], bytes]) -> None:
    with pytest.raises(CompanionError, match="file, line"):
        read(make(exported))


def test_a_refused_import_leaves_the_store_as_it_was(exported: bytes, tmp_path: Path) -> None:
    with Store(tmp_path / "other.sqlite") as other:
        header, records = read_export(io.BytesIO(exported[:-1]), "file")
        with pytest.raises(DataError, match="file, line 12"):
            other.add(header, records)
        assert other.names() == ()


def test_a_later_schema_is_refused_with_what_to_do(exported: bytes) -> None:
    lines = exported.decode().splitlines(keepends=True)
    header = json.loads(lines[0]) | {"schema": 2}
    with pytest.raises(DataError, match="update the companion"):
        read((canonical_json(header) + "\n").encode())


def test_a_session_that_was_altered_in_the_store_is_not_exported(tmp_path: Path) -> None:
    with Store(tmp_path / "record.sqlite") as store:
        with begin(store) as session:
            play(session, "A hide 2", "B hide 3")
        with store.database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE companion_records SET line = replace(line, 'hide 2', 'hide 3')")
        with pytest.raises(RecordError, match="record 2"):
            list(export_lines(store, "toy-1"))
