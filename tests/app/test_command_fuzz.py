"""Commands given what nobody means: no traceback, no crash of a library, exit codes as documented."""

from __future__ import annotations

import pytest

from companion.lab.trials.command_fuzz import fuzz

CALLS = 40
"""In a test run; `companion bench attack` makes some for every option of every command."""


@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_of_a_command_ends_with_a_traceback(seed: int) -> None:
    report = fuzz(seed, 1, CALLS)
    assert report.calls == CALLS
    assert not report.findings, report.findings[0]
