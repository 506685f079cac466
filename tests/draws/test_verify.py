"""A record is proved, or refused with the place: bytes altered by accident and forgeries made with care."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from draw_records import Rows, draw_rows, forge, play_urn, rows_of, step_row, urn_export
from hypothesis import given, settings
from hypothesis import strategies as st
from urn_game import UrnRules

from companion.core.digest import digest
from companion.core.errors import CompanionError, RecordError
from companion.draws import generator
from companion.draws.lines import read_export
from companion.draws.verify import Report, verify

RULES = UrnRules()


def check(export: bytes, *codes: str) -> Report:
    return verify(read_export(export), RULES, codes)


def line_of(error: RecordError) -> int:
    return int(error.where.removeprefix("line ").split()[0])


def said(report: Report) -> str:
    return " ".join(f.message.format_map(dict(f.facts)) for f in (*report.findings, *report.missing))


def test_whole_game_is_proved():
    report = check(urn_export())
    assert report.complete
    assert report.proved == report.draws == 12
    assert report.physical == 0
    assert "draws 1 to 12 were recomputed" in said(report)
    assert "Each of the 12 urns held exactly" in said(report)


@settings(max_examples=400)
@given(st.data())
def test_record_altered_in_any_byte_is_refused_with_the_line(data: st.DataObject):
    export = urn_export()
    place = data.draw(st.integers(0, len(export) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != export[place]))
    altered = export[:place] + bytes([byte]) + export[place + 1 :]
    with pytest.raises(RecordError) as refusal:
        check(altered)
    # a line feed put in or taken out moves the damage to where the pieces no longer fit: the same line or the next
    assert line_of(refusal.value) - (export.count(b"\n", 0, place) + 1) in (0, 1)


@settings(max_examples=60)
@given(st.integers(0, len(urn_export()) - 1))
def test_record_cut_short_anywhere_is_refused(length: int):
    with pytest.raises(RecordError, match="line"):
        check(urn_export()[:length])


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_without_a_traceback(data: bytes):
    with pytest.raises(RecordError):
        check(data)


def other_pick(rows: Rows) -> None:
    """The fifth draw is another one, the game ends after it, and every digest is put right with the rules."""
    row = draw_rows(rows)[4]
    proof = row["cause"]["detail"]["proof"]
    proof["pick"] = (proof["pick"] + 1) % len(proof["urn"])
    row["body"]["text"] = proof["urn"][proof["pick"]][0]
    rows[rows.index(row) + 1 :] = [step_row(rows, "reveal")]
    state, after = RULES.initial(), digest(RULES.dump(RULES.initial()))
    for row in rows[2:]:
        row["before"] = after
        if row["kind"] == "event":
            state = RULES.apply(state, RULES.parse(row["body"]["text"]))
        row["after"] = after = digest(RULES.dump(state))


def heavier_urn(rows: Rows) -> None:
    draw_rows(rows)[0]["cause"]["detail"]["proof"]["urn"][0][1] += 2


def other_text(rows: Rows) -> None:
    row = draw_rows(rows)[0]
    taken = row["body"]["text"]
    row["body"]["text"] = next(text for text, _ in row["cause"]["detail"]["proof"]["urn"] if text != taken)


def skipped_number(rows: Rows) -> None:
    for row in draw_rows(rows)[3:]:
        row["cause"]["detail"]["proof"]["number"] += 1


def draw_left_out(rows: Rows) -> None:
    rows.remove(draw_rows(rows)[3])


def other_secret(rows: Rows) -> None:
    step_row(rows, "reveal")["body"]["secret"] = "00" * 32


def other_dice(rows: Rows) -> None:
    step_row(rows, "add")["body"]["value"] = "1 1 1 1 1 1"


def other_opening(rows: Rows) -> None:
    step_row(rows, "open")["body"]["value"] += "!"


def late_commitment(rows: Rows) -> None:
    place = rows.index(step_row(rows, "commit"))
    rows[place], rows[place + 1] = rows[place + 1], rows[place]


def no_commitment(rows: Rows) -> None:
    rows.remove(step_row(rows, "commit"))


def late_contribution(rows: Rows) -> None:
    added = step_row(rows, "add")
    rows.remove(added)
    rows.insert(rows.index(step_row(rows, "close")) + 1, added)


def draw_before_the_seal(rows: Rows) -> None:
    seal = step_row(rows, "seal")
    rows.remove(seal)
    rows.insert(rows.index(draw_rows(rows)[0]) + 1, seal)


def draw_after_the_reveal(rows: Rows) -> None:
    rows.append(draw_rows(rows)[-1].copy())


def broken_proof_chain(rows: Rows) -> None:
    draw_rows(rows)[2]["cause"]["detail"]["proof"]["previous"] = "0" * 64


def no_proof(rows: Rows) -> None:
    del draw_rows(rows)[2]["cause"]["detail"]["proof"]


def other_digest(rows: Rows) -> None:
    draw_rows(rows)[2]["after"] = "0" * 64


@pytest.mark.parametrize(
    ("forgery", "message"),
    [
        (other_pick, r"record 16\).*draw 5 should be"),
        (heavier_urn, "the urn is not what the rules allow here"),
        (other_text, "the pick says"),
        (skipped_number, "number should be 4, got 5"),
        (draw_left_out, r"number should be 4, got 5|cannot replay"),
        (other_secret, "the host committed to"),
        (other_dice, "the seal must carry the transcript"),
        (other_opening, "promised"),
        (late_commitment, "cannot come now"),
        (no_commitment, "cannot come now"),
        (late_contribution, "cannot come now"),
        (draw_before_the_seal, "needs a sealed bag"),
        (draw_after_the_reveal, "needs a sealed bag"),
        (broken_proof_chain, "previous should be"),
        (no_proof, "expected a draw's proof"),
        (other_digest, "after: expected"),
    ],
)
def test_forgery_with_fitting_hashes_is_refused_with_the_place(forgery: Callable[[Rows], None], message: str):
    with pytest.raises(RecordError, match=message) as refusal:
        check(forge(urn_export(), forgery))
    assert refusal.value.where.startswith("line ")


def test_forging_tool_alone_changes_nothing():
    assert forge(urn_export(), len) == urn_export()


def test_game_played_again_with_another_secret_is_refused_by_the_noted_code():
    code = check(urn_export(7)).commitments[0]
    assert check(urn_export(7), code[:32], "f" * 64).complete
    assert check(urn_export(7), " ".join(code[i : i + 4] for i in range(0, 64, 4)).upper()).complete
    with pytest.raises(RecordError, match="not one you noted"):
        check(urn_export(8), code)


def test_code_too_short_to_mean_anything_is_refused():
    with pytest.raises(CompanionError, match="at least 32 digits"):
        check(urn_export(7), check(urn_export(7)).commitments[0][:31])


def test_record_without_its_reveal_is_whole_but_not_proved():
    export = forge(urn_export(), lambda rows: rows.remove(step_row(rows, "reveal")))
    report = check(export)
    assert not report.complete
    assert report.proved == 0
    assert "cannot be checked yet" in said(report)


def test_draws_by_hand_are_counted_and_nothing_is_claimed_of_them():
    report = check(play_urn(3, physical=0.5).export)
    assert report.complete
    assert report.physical > 0
    assert report.physical + report.draws == 12
    assert f"{report.physical} draws came from the physical bag" in said(report)


def test_draw_that_was_taken_back_is_told_and_its_number_is_not_used_again():
    played = play_urn(11, undo=0.3)
    report = check(played.export)
    numbers = [row["cause"]["detail"]["proof"]["number"] for row in draw_rows(rows_of(played.export))]
    assert report.taken_back
    assert report.draws == 12 + len(report.taken_back)
    assert len(set(numbers)) == len(numbers)
    assert numbers == list(range(1, report.draws + 1))
    assert f"Draw {report.taken_back[0]} in record" in said(report)


def test_guarantee_names_what_the_contributions_can_bear():
    def withheld(rows: Rows) -> None:
        body = step_row(rows, "open")["body"]
        rows[rows.index(step_row(rows, "open"))]["body"] = {"step": "withhold", "bag": 1, "seat": body["seat"]}
        reseal(rows)

    def presses(rows: Rows) -> None:
        withheld(rows)
        step_row(rows, "add")["body"].update(how="press", value="box/1/2/3")
        reseal(rows)

    assert "not even the host together with all the others" in said(check(urn_export()))
    with_open_dice = said(check(forge(urn_export(), lambda rows: (withheld(rows), cut_draws(rows)))))
    assert "the host alone could not choose" in with_open_dice
    assert "never opened it" in with_open_dice
    assert "could not have made up" in said(check(forge(urn_export(), lambda rows: (presses(rows), cut_draws(rows)))))


def reseal(rows: Rows) -> None:
    """Put the transcript right, as a host would that filled the bag otherwise."""
    code = step_row(rows, "commit")["body"]["commitment"]
    steps = [
        r["body"] for r in rows[1:] if r["kind"] == "proof" and r["body"]["step"] not in ("commit", "seal", "reveal")
    ]
    step_row(rows, "seal")["body"]["transcript"] = generator.transcript(rows[0]["session"], 1, code, steps)


def cut_draws(rows: Rows) -> None:
    """Leave nothing after the seal but the reveal."""
    rows[rows.index(step_row(rows, "seal")) + 1 :] = [step_row(rows, "reveal")]
    rows[-1].update(before=rows[-2]["after"], after=rows[-2]["after"])
