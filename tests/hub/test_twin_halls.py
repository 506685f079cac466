"""Twin halls: the same game with other secrets. Before the reveal nothing that leaves a table differs but hashes with
salt in them: not what the hub keeps, nor what the public, the hall's people and other tables are told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from contract_rifts import rifts_setup
from hall_kit import a_hall, browser, logged_in
from hall_table import a_table, toy_rules_of
from table_kit import clock, toy_header

from companion.app.files.sessions import catalogue_text, rules_of
from companion.core.game import Rules
from companion.core.types import Draw
from companion.games import find_game
from companion.table.commands import Play
from companion.table.record.records import SessionHeader
from companion.table.session import Session

pytestmark = pytest.mark.system("postgresql")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
KEYS = re.compile(r'"(?:key|code)":"[^"]*"')


def pearls(choice: int) -> tuple[SessionHeader, Any, list[str]]:
    """The toy game: seat A hides another number of pearls in each twin."""
    return toy_header(), toy_rules_of, [f"A hide {choice + 1}"]


def cards(choice: int) -> tuple[SessionHeader, Any, list[str]]:
    """A game with hands: the first secret draw is another card in each twin, what is done in the open is the same."""
    spec = find_game("rifts")
    header = SessionHeader("rifts-1", 1_700_000_000_000, rifts_setup(2), catalogue_text(spec, spec.default_catalogue))
    rules: Rules = rules_of(header)[1]
    state, texts, changed = rules.initial(), [], False
    while not changed:
        outcomes, actions = rules.chance_outcomes(state), rules.legal_actions(state)
        secret = bool(outcomes) and rules.is_secret(outcomes[0].draw)
        event: Any = outcomes[choice if secret else 0].draw if outcomes else actions[0]
        changed = secret and isinstance(event, Draw)
        texts.append(rules.format(event))
        state = rules.apply(state, event)
    return header, lambda found: rules_of(found)[1], texts


def seen(place: str, folder: Path, twin: tuple[SessionHeader, Any, list[str]]) -> tuple[dict[str, Any], list[str]]:
    """Everything that a hall shows and keeps of a table whose secret is due to nobody yet; and all bytes sent."""
    header, rules, texts = twin
    with a_hall(place) as (hall, _), a_table(folder, hall, browser(hall), rules_of=rules) as table:
        table.session = Session.create(table.store, header, rules(header), clock_ms=clock())
        table.step()
        for text in texts:
            assert table.session.ask(Play(texts=(text,))).accepted, text
            table.step()
        hall.board._heard({"kind": "status", "table": 1})
        now = hall.board.tables()[0]
        kept = {
            name: hall.database.rows(f"SELECT * FROM {name}")
            for name in ("hall_sessions", "hall_records", "hall_statuses", "hall_tables")
        }
        pages = [browser(hall).get("/").get_data(as_text=True), logged_in(hall).get("/tables").get_data(as_text=True)]
        return {
            "kept": kept, "staff": now.staff, "public": now.public, "pages": [_bare_page(page) for page in pages],
        }, table.link.bodies


def _bare_page(page: str) -> str:
    return re.sub(r'value="[^"]{20,}"', "", page)  # the token of a log-in


def bare(found: Any) -> str:
    """As text, of equal length and without what chance alone makes: hashes and keys."""
    return KEYS.sub("", HASH.sub("#" * 64, json.dumps(found, sort_keys=True, default=str)))


@pytest.mark.parametrize("game", [pearls, cards])
def test_twin_halls_are_equal_before_the_reveal(postgres_server: Any, tmp_path: Path, game: Any) -> None:
    twins = [
        seen(postgres_server.new_place(), tmp_path / str(n), game(n)) for n in (0, 1)
    ]
    assert game(0)[2] != game(1)[2]
    (one, sent_one), (other, sent_other) = twins
    assert bare(one) == bare(other)
    assert [bare(json.loads(body)) for body in sent_one] == [bare(json.loads(body)) for body in sent_other]
    assert [len(body) for body in sent_one] == [len(body) for body in sent_other]


def test_no_hash_that_leaves_the_table_is_found_by_trying_all_secrets(postgres_server: Any, tmp_path: Path) -> None:
    """The record's own hashes and digests of a twin with the same secret are nowhere in what was sent."""
    header, rules, texts = pearls(2)
    _, sent = seen(postgres_server.new_place(), tmp_path / "a", (header, rules, texts))
    with a_hall(postgres_server.new_place()) as (hall, _), a_table(tmp_path / "b", hall, browser(hall)) as table:
        table.session = Session.create(table.store, header, rules(header), clock_ms=clock())
        for text in texts:
            table.session.ask(Play(texts=(text,)))
        secret = list(table.store.records(header.session))[-1]
    told = "".join(sent)
    assert texts[-1] not in told
    assert secret.previous_hash in told  # record 1 is opened: nothing of it is secret
    assert secret.hash not in told
    assert secret.after not in told
