"""`companion box …` and `companion bench box` as people run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.benches.box import BENCH
from companion.app.commands.box import box
from firmware_bridge.capture import replay_capture
from firmware_bridge.virtual_box import BANNER


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


def test_doctor_ends_with_exit_code_5_and_says_what_to_do(runner: CliRunner, tmp_path: Path) -> None:
    done = runner.invoke(box, ["doctor", str(tmp_path / "ttyUSB0")])
    assert done.exit_code == 5
    assert "trouble: there is no" in done.output
    done = runner.invoke(box, ["doctor", "--json", str(tmp_path / "ttyUSB0")])
    assert json.loads(done.output)["good"] is False


def test_monitor_shows_frames_quality_and_the_banner_of_a_virtual_box(runner: CliRunner, tmp_path: Path) -> None:
    capture = tmp_path / "box.jsonl"
    arguments = ["monitor", "--box", "virtual:", "--seconds", "0.9", "--capture", str(capture)]
    done = runner.invoke(box, arguments)
    assert done.exit_code == 0, done.output
    assert BANNER in done.output
    assert "<- HELLO box" in done.output
    assert "connected /dev/" in done.output
    assert "round trip" in done.output
    assert "PING" not in done.output
    assert replay_capture(capture) == []
    shown = runner.invoke(box, ["show", str(capture), "--heartbeats"])
    assert "<- ALIVE" in shown.output
    assert json.loads(runner.invoke(box, ["show", str(capture), "--json"]).output) == []


def test_monitor_prints_json_lines(runner: CliRunner) -> None:
    done = runner.invoke(box, ["monitor", "--box", "virtual:drop=0.2,seed=4", "--seconds", "0.6", "--json"])
    rows = [json.loads(line) for line in done.output.splitlines()]
    assert {row["kind"] for row in rows} == {"frame", "status", "quality"}
    assert rows[-1]["kind"] in ("quality", "status")


def test_virtual_box_prints_its_port_and_leds(runner: CliRunner) -> None:
    done = runner.invoke(box, ["virtual", "--seconds", "0.2"])
    assert done.exit_code == 0, done.output
    assert "Port: /dev/" in done.output
    assert "1 host_lost" in done.output


def test_bench_prints_figures_and_whether_they_are_reached(runner: CliRunner) -> None:
    arguments = ["--presses", "200", "--latency-presses", "0", "--replugs", "2", "--json"]
    done = runner.invoke(BENCH, arguments)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.output)
    assert figures["passed"]
    assert figures["presses"]["delivered"] == 200
    assert figures["replug"]["other_names"] == 2


def test_bench_refuses_a_noise_that_no_link_survives(runner: CliRunner) -> None:
    done = runner.invoke(BENCH, ["--presses", "10", "--noise", "0.9"])
    assert done.exit_code != 0


@pytest.mark.parametrize("command", ["doctor", "monitor", "virtual", "show"])
def test_help_has_an_example(runner: CliRunner, command: str) -> None:
    assert "Example: companion box" in runner.invoke(box, [command, "--help"]).output
