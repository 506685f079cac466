"""The wheel, built from the sources and installed by itself, works away from them."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import shutil
import site
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = ("companion", "vision", "web", "calibration", "firmware_bridge")
NOT_SHIPPED = {".pyc", ".o", ".elf"}
"""What Python and the compiler leave beside the sources."""

LARGEST_WHEEL_BYTES = 6 * 2**20
"""The demo's film has 3 MB, everything else together 2 MB; more means that something slipped in."""

SERVER_S = 120
"""Bounds the wait for the demo's first page and picture; it is there within seconds on a quiet machine."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: a build leaves folders behind, and an old one would hide what is missing."""
    folder = tmp_path_factory.mktemp("sources")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", build, "built"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next((folder / "built").glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `companion` command of an environment that has the wheel, and other packages as the tests have them."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    install = ["-m", "pip", "--python", str(folder / "venv"), "install", "--no-deps", "--no-index", "--no-compile"]
    done = subprocess.run([sys.executable, *install, str(wheel)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    packages = next((folder / "venv").glob("lib/python*/site-packages"))
    # Paths named by a .pth come after the environment's own: the companion is the wheel's.
    shared = [path for path in (*sys.path, *site.getsitepackages()) if path.endswith("site-packages")]
    (packages / "shared.pth").write_text("\n".join(dict.fromkeys(shared)), encoding="utf-8")
    return folder / "venv" / "bin" / "companion"


def environment(folder: Path) -> dict[str, str]:
    """Variables of a person who has just installed the companion."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("COMPANION_", "XDG_", "PYTHON"))}
    return kept | {"HOME": str(folder), "COLUMNS": "120"}


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(installed), *arguments]
    return subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    sources = {
        str(path.relative_to(ROOT)) for name in PACKAGES for path in (ROOT / name).rglob("*")
        if path.is_file() and path.suffix not in NOT_SHIPPED
    }
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == sources


def test_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST_WHEEL_BYTES


def test_installed_companion_is_not_the_checkout(installed: Path, tmp_path: Path) -> None:
    code = "import companion, vision, web, calibration, firmware_bridge as f; print(companion.__file__, web.__file__)"
    done = subprocess.run(
        [str(installed.with_name("python")), "-c", code], cwd=tmp_path, env=environment(tmp_path),
        capture_output=True, text=True, check=True,
    )
    assert all(Path(file).is_relative_to(installed.parents[1]) for file in done.stdout.split())


@pytest.mark.parametrize(("arguments", "said"), [
    (("--help",), "Referee, scorer and provable bag"),
    (("box", "doctor", "--help"), "say what is wrong"),
    (("score", "flora-1-a", "end"), "1"),
])
def test_installed_command_answers(installed: Path, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(installed, tmp_path, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_installed_rules_read_differently_in_each_language(installed: Path, tmp_path: Path) -> None:
    texts = {run(installed, tmp_path, "rules", "E41", "--lang", lang).stdout for lang in ("en", "sk", "cs")}
    assert len(texts) == 3
    assert all(texts)


@pytest.mark.parametrize("what", ["sample", "calibrate"])
def test_installed_companion_prints_its_sheets(installed: Path, tmp_path: Path, what: str) -> None:
    done = run(installed, tmp_path, what, "print", "--out", "sheets.pdf")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")


@pytest.fixture
def demo(installed: Path, tmp_path: Path) -> Iterator[list[str]]:
    """The demo, running: the lines that it printed."""
    command = [str(installed), "demo", "--port", "0", "--no-https", "--bind", "127.0.0.1", "--pin", "112233",
               "--lang", "sk"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path) | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:
        assert process.stdout is not None
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if "PIN 112233" in line:  # the last address
                    break
            yield lines
        finally:
            process.terminate()
            process.stdout.read()


def test_demo_of_the_wheel_shows_its_film(demo: list[str]) -> None:
    table = re.search(r"(http://\S+)/table", "".join(demo))
    assert table is not None, "".join(demo)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    browser.addheaders = [("Accept-Language", "sk")]
    page = browser.open(f"{table[1]}/table").read().decode()
    assert '<html lang="sk"' in page
    for asset in set(re.findall(r'"(/static/[^"]+)"', page)):
        assert browser.open(table[1] + asset).status == 200
    login = urllib.request.Request(
        f"{table[1]}/api/login", json.dumps({"pin": "112233"}).encode(), {"Content-Type": "application/json"}
    )
    assert browser.open(login).status == 200
    picture = cv2.imdecode(np.frombuffer(first_picture(browser, table[1]), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.std() > 10  # a table with tiles, not a grey nothing


def first_picture(browser: urllib.request.OpenerDirector, url: str) -> bytes:
    """The newest picture as soon as one has come."""
    end = time.monotonic() + SERVER_S
    while True:
        try:
            answer = browser.open(f"{url}/api/camera/picture")
            if answer.headers.get_content_type() == "image/jpeg":
                return bytes(answer.read())
            told = answer.read().decode()
        except urllib.error.HTTPError as error:
            told = error.read().decode()
            if error.code not in (404, 409):
                raise AssertionError(told) from error
        assert time.monotonic() < end, told
