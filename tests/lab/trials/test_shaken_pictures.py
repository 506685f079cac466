"""`companion bench following` on a few frames: the figures are there, and bumps are noticed and mended in time."""

from __future__ import annotations

from companion.lab.trials.shaken_pictures import following_bench


def test_bumps_are_noticed_within_a_second_and_mended_within_two_at_1080p():
    result = following_bench(None, frames=30, seed=1)
    assert result["false_alarms"] == 0
    assert [b["by_px"] for b in result["bumps"]] == [3.0, 5.0, 12.0, 40.0]
    for bump in result["bumps"]:
        assert bump["noticed_s"] <= 1.0
        assert bump["locked_again_s"] <= 2.0
