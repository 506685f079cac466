"""The API against a schema-driven fuzzer: whatever the document allows, and much that it does not, is never a 500."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)
from web_kit import Caller, StillCamera, deal, hosting, make_app

from web.roles.access import TOKEN_HEADER
from web.routes import ROUTES, openapi

EXAMPLES = 15
"""Requests per operation and role: a look at every corner of the schemas each run, other corners the next."""

OPERATIONS = [(route.method, route.path) for route in ROUTES if route.answers != "text/event-stream"]
CHECKS = (not_a_server_error, status_code_conformance, response_schema_conformance)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with hosting(tmp_path_factory.mktemp("fuzz"), box="virtual:") as host:
        host.camera = StillCamera()
        deal(host)
        yield make_app(host)


@pytest.mark.long
def test_nothing_that_the_document_allows_fails_inside(app: Flask) -> None:
    """Each request is made by somebody without a role and by the referee: to think of one takes longer than both."""
    callers = [Caller(app, None), Caller(app, "referee")]
    document = openapi()
    for path in ("/api/stream", "/api/overlay/stream"):
        del document["paths"][path]
    schema = schemathesis.openapi.from_dict(document)
    schema.app = app

    for result in schema.get_all_operations():
        operation = result.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
                  suppress_health_check=list(HealthCheck))
        def ask(case: schemathesis.Case) -> None:
            for caller in callers:
                headers = {TOKEN_HEADER: caller.token} if caller.token else {}
                cookies = {one.key: one.value for one in caller.http._cookies.values()} if caller.role else {}
                # A role that the fuzzer throws away would leave only the door to be looked at.
                if isinstance(case.body, dict) and "as" in case.body and caller.role:
                    case.body["as"] = caller.role
                case.call_and_validate(headers=headers, cookies=cookies, checks=list(CHECKS))

        ask()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    path=st.sampled_from([path for method, path in OPERATIONS if method == "POST"]),
    body=JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60),
    kind=st.sampled_from(["application/json", "image/jpeg", "text/plain", ""]),
)
def test_bodies_of_any_bytes_are_refused_in_the_one_shape(app: Flask, path: str, body: bytes, kind: str) -> None:
    answer = app.test_client().post(path, data=body, content_type=kind)
    assert answer.status_code < 500
    if answer.status_code != 200:
        assert set(answer.get_json()) == {"error"}
