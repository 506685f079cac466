"""Writes requirements-hashed.txt: each package of a shipped install at its pinned version, with its wheels' SHA-256.

Asked of pip, which takes hashes from the index's metadata and downloads no wheel. Only versions and hashes are kept, so
the file names no host and holds for any mirror: `pip install --require-hashes -r docs/install/requirements-hashed.txt`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PINNED = ROOT / "docs/install/requirements-hashed.txt"
EXTRAS = ("hub", "postgresql")
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = (
    tuple(f"manylinux{tag}_x86_64" for tag in ("_2_28", "2014", "_2_17")),
    tuple(f"manylinux{tag}_aarch64" for tag in ("_2_28", "2014", "_2_17")),  # a Raspberry Pi with a 64 bit system
    tuple(f"macosx_{major}_0_arm64" for major in (14, 13, 12, 11)),
)
HEAD = """\
# What a shipped install needs, with the SHA-256 of its wheels for Linux (x86-64, 64 bit ARM) and macOS (ARM), CPython
# 3.11 to 3.13. Written by `make hashes`; used by `pip install --require-hashes -r FILE`.
"""


def wanted() -> list[str]:
    """The requirements of the project and of its shipped extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(each for extra in EXTRAS for each in project["optional-dependencies"][extra])]


def resolved(platforms: tuple[str, ...], python: str) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of the wheel of each package for a platform. Raises CalledProcessError from pip."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run",
                   "--ignore-installed", "--only-binary=:all:", "--python-version", python, "--target", folder,
                   "-c", str(ROOT / "constraints.txt"), "--report", str(report)]
        subprocess.run([*command, *(f"--platform={each}" for each in platforms), *wanted()], check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return [
        (each["metadata"]["name"].lower().replace("_", "-"), each["metadata"]["version"],
         each["download_info"]["archive_info"]["hashes"]["sha256"])
        for each in found
    ]


def main() -> None:
    """Write the file anew."""
    hashes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for platforms in PLATFORMS:
        for python in PYTHONS:
            for name, version, sha256 in resolved(platforms, python):
                hashes[name, version].add(sha256)
            print(f"{platforms[0]}, Python {python}: {len(hashes)} packages")
    lines = [
        " \\\n".join([f"{name}=={version}", *(f"    --hash=sha256:{each}" for each in sorted(found))])
        for (name, version), found in sorted(hashes.items())
    ]
    PINNED.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
