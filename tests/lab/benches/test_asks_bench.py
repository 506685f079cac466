"""Who answers what a filmed table asks, and when: the people of `companion bench asks`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from watched_table import WatchedTable

from companion.app.camera.film import FilmJobs
from companion.lab.benches.asks import asks
from companion.lab.evaluation import film_of_acts
from companion.lab.evaluation.film_of_acts import ActsReferee, ActsReport
from companion.table.tracking.judging.verdicts import Ambiguous, Explained

GAP, OTHER = "r1c1|r1c2", "r1c2|r2c2"


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    table = WatchedTable(tmp_path, players=2, game="spyrium")
    yield table
    table.close()


def asked_at_the_first_picture(one: WatchedTable, *, finishing: bool) -> ActsReferee:
    """A film of three still pictures; the first and the last show an act, and the first one's is asked about."""
    rules = one.table.rules
    mover = rules.to_act(one.table.session.state)[0].name
    act, other = f"{mover} place {GAP}", f"{mover} place {OTHER}"
    events = [{"frame": 0, "event": "act", "text": act}, {"frame": 2, "event": "act", "text": other}]
    truth = {"frames": [{"kind": "settled", "slots": {}} for _ in range(3)], "events": events}
    referee = ActsReferee(one.table, FilmJobs("spyrium", 2, ("blue", "red"), None, (), {}, {}), truth, finishing)
    referee.watch.tracker.open.asked = Ambiguous(((rules.parse(other),), (rules.parse(act),)), (GAP, OTHER), alike=True)
    return referee


def test_people_finish_what_their_hands_do_before_they_look_at_a_phone(one: WatchedTable) -> None:
    referee = asked_at_the_first_picture(one, finishing=True)
    referee.after((), (), 0)
    assert (referee.report.tapped, referee.report.asked_right) == (0, 0)
    referee.after((), (), 1)
    report = referee.report
    assert (report.tapped, report.tapped_first, report.asked_referee, report.asked_right) == (1, 0, 0, 1)
    assert report.wrong == []


def test_what_people_are_asked_about_is_not_entered_while_their_hands_go_on(one: WatchedTable) -> None:
    referee = asked_at_the_first_picture(one, finishing=True)
    kinds = ["settled", "hand", "hand", "hand", "settled"]
    referee.truth["frames"][:] = [{"kind": kind, "slots": {}} for kind in kinds]
    referee.truth["events"][1]["frame"] = len(kinds)
    referee.after((), (), 0)
    for index in range(1, len(kinds)):
        referee.before_picture(index)
        referee.after((), (), index)
    assert (referee.report.tapped, referee.report.entered, referee.report.asked_right) == (1, 0, 1)


def test_a_choice_that_comes_to_what_was_done_is_right(one: WatchedTable) -> None:
    referee = asked_at_the_first_picture(one, finishing=False)
    act, other = (event["text"] for event in referee.truth["events"])
    state = one.table.session.state
    assert referee._come_to_the_same(state, [act], [act])
    assert not referee._come_to_the_same(state, [act], [other])
    assert not referee._come_to_the_same(state, [act, act, act], [act, act, act])  # out of turn


def test_who_does_not_wait_answers_at_once(one: WatchedTable) -> None:
    referee = asked_at_the_first_picture(one, finishing=False)
    referee.after((), (), 0)
    assert (referee.report.tapped, referee.report.asked_right) == (1, 1)


@pytest.mark.parametrize(("truly", "counts"), [((0,), (1, 0, 1, 0)), ((1, 2), (0, 1, 0, 2))])
def test_what_is_presumed_stands_if_it_was_so_and_is_denied_by_one_tap_if_not(
    one: WatchedTable, truly: tuple[int, ...], counts: tuple[int, int, int, int]
) -> None:
    """Of three texts the first is presumed, instead of the other two."""
    rules, state = one.table.rules, one.table.session.state
    mover = rules.to_act(state)[0].name
    texts = [f"{mover} place {GAP}", f"{mover} start", f"{mover} event {rules_choice(one, mover)}"]
    events = [{"frame": 0, "event": "act", "text": texts[n]} for n in truly]
    truth = {"frames": [{"kind": "settled", "slots": {}}], "events": events}
    referee = ActsReferee(one.table, FilmJobs("spyrium", 2, ("blue", "red"), None, (), {}, {}), truth, finishing=True)
    watch, acts = referee.watch, [rules.parse(text) for text in texts]
    other = Ambiguous(((acts[0],), tuple(acts[1:])), (GAP,), alike=True)
    presumed = Explained((acts[0],), rules.apply(state, acts[0]), watch.tracker.view, 5.0, presumed=other)
    watch._react(watch.tracker._all_consequences(presumed, 0))
    referee.after((), (), 0)
    report = referee.report
    assert (report.presumed, report.denied, report.recognised, report.asked_right) == counts
    assert (report.wrong, report.tapped, referee._due) == ([], 0, [])


def test_a_note_is_denied_by_what_comes_to_what_was_done(one: WatchedTable) -> None:
    """Nothing was taken at one of two cards, the event is presumed, and the note offers nothing at the other card."""
    rules, state = one.table.rules, one.table.session.state
    mover = rules.to_act(state)[0].name
    other = next(seat for seat in "AB" if seat != mover)
    begun = [f"{mover} place {GAP}", f"{other} place r3c2|r3c3", f"{mover} start"]
    used, offered, done = ([*begun, f"{mover} {act}"] for act in (
        f"event {rules_choice(one, mover)}", f"money {GAP} r1c1", f"money {GAP} r1c2",
    ))  # fmt: skip
    truth = {"frames": [{"kind": "settled", "slots": {}}],
             "events": [{"frame": 0, "event": "act", "text": text} for text in done]}
    referee = ActsReferee(one.table, FilmJobs("spyrium", 2, ("blue", "red"), None, (), {}, {}), truth, finishing=True)
    watch, (acts, others) = referee.watch, (tuple(map(rules.parse, texts)) for texts in (used, offered))
    for act in acts:
        state = rules.apply(state, act)
    asked = Ambiguous((acts, others), (GAP,), alike=True)
    watch._react(watch.tracker._all_consequences(Explained(acts, state, watch.tracker.view, 5.0, presumed=asked), 0))
    referee.after((), (), 0)
    assert (referee.report.denied, referee.report.wrong, referee._due) == (1, [], [])


def rules_choice(one: WatchedTable, mover: str) -> str:
    """A way to use the event of the turn in Phase II, whatever it is."""
    rules = one.table.rules
    begun = rules.apply(one.table.session.state, rules.parse(f"{mover} start"))
    used = (text for text in map(rules.format, rules.legal_actions(begun)) if text.startswith(f"{mover} event "))
    return next(used).removeprefix(f"{mover} event ")


def test_rates_are_of_all_films_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = {"a": ActsReport(acts=60, recognised=50, tapped=8, tapped_first=3, presumed=6, denied=1, entered=2,
                                wrong=["picture 3"]),
               "b": ActsReport(acts=40, recognised=38, tapped=1, asked_referee=1)}
    monkeypatch.setattr(film_of_acts, "referee_acts", lambda film, finishing: reports[film.name] if finishing else None)
    for name in reports:
        (tmp_path / name).mkdir()
    told = CliRunner().invoke(asks, [str(tmp_path / name) for name in reports]).output.splitlines()
    assert told[0].startswith("a: acts 60, alone 50, taps 8, taps, first 3, presumed 6, denied 1, referee 0, entered 2")
    assert told[-1] == "taps per 100 9, denied per 100 1, referee per 100 1, entered per 100 2, wrong per 100 1"
