"""`companion box …` and `companion bench box` as people run them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.commands.machine import box_building
from companion.app.commands.machine.box import box
from companion.core.errors import DeviceError
from companion.core.inputs import BoxInput
from companion.lab.benches.box import BENCH
from firmware_bridge.capture import replay_capture
from firmware_bridge.virtual_box import BANNER, VirtualBox


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


def test_monitor_shows_presses_and_takes_none_unless_asked(runner: CliRunner) -> None:
    box_ = VirtualBox()
    try:
        box_.press(BoxInput.CONFIRM_2)
        seen = runner.invoke(box, ["monitor", "--box", box_.port, "--seconds", "1.5"])
        assert seen.output.count("REPORT 1: confirm-2 pressed") == 1  # it comes again and again, and is shown once
        assert "closed: confirm-2" in seen.output
        assert "ACK" not in seen.output
        assert box_.waiting == 1
        runner.invoke(box, ["monitor", "--box", box_.port, "--seconds", "1.5", "--take"])
        assert box_.waiting == 0
    finally:
        box_.close()


@pytest.fixture
def port() -> Iterator[VirtualBox]:
    box_ = VirtualBox()
    yield box_
    box_.close()


def walk_keys(box_: VirtualBox, wrong_led: bool) -> Callable[[float], Iterator[str]]:
    """A person who does what one station asks, LED by LED and contact by contact."""

    def keys(_end: float) -> Iterator[str]:
        yield from ("", "n" if wrong_led else "y", "y", "y")
        for which, closed in ((BoxInput.CONFIRM_1, True), (BoxInput.SHIELD_1, True), (BoxInput.SHIELD_1, False),
                              (BoxInput.REFEREE, True)):  # fmt: skip
            (box_.press if closed else box_.release)(which)
            while box_.is_closed(which) is not closed or box_.waiting:
                yield ""
            yield ""  # what was acknowledged waits for the next turn

    return keys


@pytest.mark.parametrize("wrong_led", [False, True])
def test_walk_names_what_is_wrong(
    runner: CliRunner, port: VirtualBox, monkeypatch: pytest.MonkeyPatch, wrong_led: bool
) -> None:
    monkeypatch.setattr(box_building, "keys", walk_keys(port, wrong_led))
    done = runner.invoke(box, ["test", port.port, "--stations", "1"])
    assert "7 of 7: Press the referee's button." in done.output
    assert done.exit_code == int(wrong_led), done.output
    assert ("polarity" in done.output) is wrong_led


def test_walk_does_not_take_presses_of_a_game(runner: CliRunner, port: VirtualBox) -> None:
    port.press(BoxInput.CONFIRM_1)
    done = runner.invoke(box, ["test", port.port])
    assert isinstance(done.exception, DeviceError)
    assert "wait in the box for a game: 1" in str(done.exception)
    assert port.waiting == 1


def test_settings_are_shown_and_kept(runner: CliRunner, port: VirtualBox) -> None:
    shown = runner.invoke(box, ["settings", port.port])
    assert "buttons 300 ms, of shields 150 ms" in shown.output
    done = runner.invoke(box, ["settings", port.port, "--button-ms", "200", "--leds", "anode"])
    assert "buttons 200 ms, of shields 150 ms" in done.output
    again = runner.invoke(box, ["settings", port.port])
    assert "buttons 200 ms" in again.output
    assert "common anode; buzzer not fitted" in again.output


def test_conformance_prints_each_check(runner: CliRunner) -> None:
    done = runner.invoke(box, ["conformance", "virtual:"])
    assert done.exit_code == 0, done.output
    assert done.output.count("ok: ") == 30
    missing = runner.invoke(box, ["conformance", "program:/nowhere"])
    assert "no such program" in str(missing.exception)
    rows = [json.loads(line) for line in runner.invoke(box, ["conformance", "virtual:", "--json"]).output.splitlines()]
    assert all(row["passed"] for row in rows)


def test_flash_says_first_what_it_will_do(runner: CliRunner) -> None:
    done = runner.invoke(box, ["flash", "/dev/ttyACM0", "--dry-run"])
    assert "This will:" in done.output
    assert "avrdude -p m328p -c arduino -P /dev/ttyACM0" in done.output
    refused = runner.invoke(box, ["flash", "usb", "--programmer", "usbasp"], input="n\n")
    assert "bootloader is gone" in refused.output
    assert refused.exit_code == 1


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


@pytest.mark.parametrize("command", sorted(box.commands))
def test_help_has_an_example(runner: CliRunner, command: str) -> None:
    assert "Example: companion box" in runner.invoke(box, [command, "--help"]).output
