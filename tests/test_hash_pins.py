"""The pinned versions with hashes: all that a shipped install needs, as tested, and no host's name."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
ENTRY = re.compile(r"(?m)^([a-z0-9.-]+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$")


def pinned() -> dict[str, str]:
    text = (ROOT / "docs/install/requirements-hashed.txt").read_text(encoding="utf-8")
    rest = ENTRY.sub("", text)
    assert all(line.startswith("#") or not line for line in rest.splitlines()), rest
    assert "/" not in text
    return {str(canonicalize_name(name)): version for name, version, _ in ENTRY.findall(text)}


def test_every_package_that_is_needed_is_pinned_with_its_needs() -> None:
    found, waiting = pinned(), [each for each in requires("tabletop-companion") or () if "extra" not in each]
    seen: set[str] = set()
    while waiting:
        need = Requirement(waiting.pop())
        name = str(canonicalize_name(need.name))
        if name in seen or (need.marker is not None and not need.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        assert name in found, name
        assert need.specifier.contains(found[name])
        waiting += requires(name) or ()
    assert {"numpy", "flask", "ecdsa"} < seen


def test_pinned_versions_are_those_of_the_tests() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tested = dict(line.split("==") for line in lines if "==" in line)
    versions = {str(canonicalize_name(name)): version for name, version in tested.items()}
    assert {name: versions.get(name) for name in pinned()} == pinned()
