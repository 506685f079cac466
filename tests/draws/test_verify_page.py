"""The browser's verifier in a real browser: from a file without network, and over plain http without WebCrypto."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest
from draw_records import Rows, draw_rows, forge, play_urn, step_row, urn_export
from kept_browser import chromium
from playwright.sync_api import expect

from companion.core.digest import canonical_json
from companion.draws import generator

PAGE = Path(__file__).parents[2] / "web" / "static" / "verify.html"
VECTORS = Path(__file__).parents[1] / "data" / "draws" / "vectors.json"
NOT_LOCALHOST = "--host-resolver-rules=MAP table.test 127.0.0.1"

pytestmark = pytest.mark.system("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(NOT_LOCALHOST) as browser:
        yield browser


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """The page from its file, with the network switched off; a script error or a request fails the test."""
    context = browser.new_context(offline=True, locale="en-GB")
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda request: trouble.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(PAGE.as_uri())
    yield page
    context.close()
    assert trouble == []


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder without writing to the terminal."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def plain_page(browser: Any) -> Iterator[Any]:
    """The page over plain http under a name that is not localhost, as a phone on the table's network sees it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(PAGE.parent)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"http://table.test:{server.server_port}/verify.html")
    yield page
    context.close()
    server.shutdown()
    thread.join()
    server.server_close()


def choose(page: Any, export: bytes) -> str:
    """What the page says of an export that is chosen as a file."""
    page.evaluate("document.getElementById('verdict').textContent = ''")
    page.set_input_files("#file", {"name": "game.jsonl", "mimeType": "application/jsonl", "buffer": export})
    expect(page.locator("#verdict")).not_to_be_empty()  # wait_for_function would need eval, which the page forbids
    return str(page.inner_text("#verdict")) + "\n" + page.inner_text("#where") + "\n" + page.inner_text("#findings")


def test_page_from_a_file_proves_a_game_without_network(page: Any):
    assert "WebCrypto" in page.inner_text("#engine")
    said = choose(page, urn_export())
    assert said.startswith("Proved")
    assert "draws 1 to 12 were recomputed" in said
    assert "Řehoř added a phrase: sealed in record" in said
    assert page.locator("#rows tr").count() == 12


def test_a_record_that_is_cut_off_says_what_to_do(page: Any):
    said = choose(page, urn_export()[:-40])
    assert said.startswith("Refused")
    assert "The file is cut off, or is another one: its last line has no end. Download the record once more." in said


def test_page_shows_the_same_draws_as_the_record(page: Any):
    export = play_urn(5, undo=0.2).export
    choose(page, export)
    shown = page.locator("#rows tr td:last-child").all_inner_texts()
    rows = [json.loads(line) for line in export.decode().splitlines()]
    assert shown == [row["body"]["text"] for row in draw_rows(rows)]


def test_dropped_file_is_verified(page: Any):
    page.evaluate(
        """(text) => {
            const files = new DataTransfer();
            files.items.add(new File([text], "game.jsonl"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
        }""",
        urn_export().decode(),
    )
    expect(page.locator("#verdict")).not_to_be_empty()
    assert page.inner_text("#verdict").startswith("Proved")


def test_altered_record_is_refused_with_its_line(page: Any):
    export = urn_export()
    for line in (1, 2, 5, 14, export.count(b"\n")):
        start = sum(len(part) + 1 for part in export.split(b"\n")[: line - 1])
        place = export.index(b'hash":"', start) + 10
        altered = export[:place] + bytes([export[place] ^ 1]) + export[place + 1 :]
        said = choose(page, altered)
        assert said.startswith("Refused")
        assert f"Line {line} of the file" in said


def test_a_file_of_the_same_name_that_is_chosen_again_is_verified_anew(page: Any, tmp_path: Path):
    record = tmp_path / "game.jsonl"
    record.write_bytes(urn_export())
    page.set_input_files("#file", record)
    expect(page.locator("#verdict")).to_contain_text("Proved")
    assert page.inner_text("#chosen") == "game.jsonl"
    record.write_bytes(urn_export().replace(b'"step":"add"', b'"step":"ad"', 1))
    page.set_input_files("#file", record)
    expect(page.locator("#verdict")).to_contain_text("Refused")


def test_the_page_reads_in_the_language_of_the_page_that_led_to_it(browser: Any):
    for language, said in (("sk", "Overenie ťahaní"), ("cs", "Ověření losování"), ("en", "Verify the draws")):
        context = browser.new_context(offline=True, locale="de-DE")
        page = context.new_page()
        page.goto(f"{PAGE.as_uri()}#{language}")
        assert page.inner_text("h1") == said
        assert page.locator("label.button").inner_text().endswith("(.jsonl)")
        context.close()


def test_before_the_secret_is_revealed_the_page_says_who_reveals_it_where(page: Any):
    export = urn_export()
    rows = [json.loads(line) for line in export.decode().splitlines()]
    at = rows.index(step_row(rows, "reveal"))
    said = choose(page, forge(export, lambda kept: kept.__delitem__(slice(at, None))))
    assert said.startswith("Not proved yet")
    assert "The referee reveals the secret on the page “Draws”" in said


def other_pick(rows: Rows) -> None:
    row = draw_rows(rows)[4]
    proof = row["cause"]["detail"]["proof"]
    proof["pick"] = (proof["pick"] + 1) % len(proof["urn"])
    row["body"]["text"] = proof["urn"][proof["pick"]][0]
    rows[rows.index(row) + 1 :] = [step_row(rows, "reveal")]


def other_secret(rows: Rows) -> None:
    step_row(rows, "reveal")["body"]["secret"] = "00" * 32


def late_contribution(rows: Rows) -> None:
    added = step_row(rows, "add")
    rows.remove(added)
    rows.insert(rows.index(step_row(rows, "close")) + 1, added)


def other_dice(rows: Rows) -> None:
    step_row(rows, "add")["body"]["value"] = "1 1 1 1 1 1"


@pytest.mark.parametrize(
    ("forgery", "said"),
    [
        (other_pick, "Draw 5 should be"),
        (other_secret, "commitment: expected"),
        (late_contribution, "cannot come while the bag is opening"),
        (other_dice, "transcript: expected"),
    ],
)
def test_forgery_with_fitting_hashes_is_refused_by_the_page(page: Any, forgery: Any, said: str):
    shown = choose(page, forge(urn_export(), forgery))
    assert shown.startswith("Refused")
    assert said in shown


def test_record_without_its_reveal_is_not_called_proved(page: Any):
    said = choose(page, forge(urn_export(), lambda rows: rows.remove(step_row(rows, "reveal"))))
    assert said.startswith("Not proved yet")


def test_noted_code_is_compared(page: Any):
    code = json.loads(urn_export().splitlines()[2])["body"]["commitment"]
    page.fill("#code", code[:32])
    assert "The code is the one you noted" in choose(page, urn_export())
    page.fill("#code", "f" * 64)
    assert choose(page, urn_export()).startswith("Refused")


def test_page_speaks_slovak_and_czech(page: Any):
    choose(page, urn_export())
    for language, verdict in (("Slovenčina", "Dokázané"), ("Čeština", "Dokázáno"), ("English", "Proved")):
        page.get_by_role("button", name=language).click()
        assert page.inner_text("#verdict").startswith(verdict)
    texts = page.evaluate("Object.fromEntries(Object.entries(TEXTS).map(([k, v]) => [k, Object.keys(v).sort()]))")
    assert texts["sk"] == texts["cs"] == texts["en"]


def test_promise_made_by_the_page_is_the_one_that_the_bag_opens(page: Any):
    code = "ab" * 32
    page.click("summary")
    page.fill("#sSession", "evening")
    page.fill("#sCommitment", code)
    page.select_option("#sSeat", "B")
    page.fill("#sPhrase", "modrý slon")
    page.click("#sMake")
    expect(page.locator("#sSalt")).not_to_be_empty()
    salt = page.inner_text("#sSalt")
    assert len(salt) == 32
    assert page.inner_text("#sPromise") == generator.promise("evening", code, "B", "phrase", "modrý slon", salt)


CHECK_VECTORS = """async (known) => {
    const v = verifier, wrong = [];
    const expect = (name, got, vector) => { if (got !== vector.is) wrong.push([name, got, vector.is]); };
    const lines = (list) => list.map((step) => v.parse(JSON.stringify(step)));
    for (const x of known.commitments) expect("commitment", await v.commitment(x.session, x.bag, x.secret), x);
    for (const x of known.promises)
        expect("promise", await v.promise(x.session, x.commitment, x.seat, x.how, x.value, x.salt), x);
    for (const x of known.transcripts)
        expect("transcript", await v.transcript(x.session, x.bag, x.commitment, lines(x.steps)), x);
    for (const x of known.keys) expect("key", v.toHex(await v.bagKey(x.secret, x.transcript)), x);
    for (const x of known.blocks)
        expect("block", v.toHex(await v.block(v.fromHex(x.key), x.session, x.number, x.counter)), x);
    for (const x of known.integers)
        expect("integer", String(await v.uniform(v.fromHex(x.key), x.session, x.number, BigInt(x.total))), x);
    for (const x of known.records) {
        const report = await v.verify(new TextEncoder().encode(x.lines.join("\\n") + "\\n"));
        if (report.complete !== x.complete || report.draws.length !== x.draws) wrong.push(["record", x.session]);
    }
    return wrong;
}"""


def test_known_answers_hold_in_the_browser(page: Any):
    assert page.evaluate(CHECK_VECTORS, json.loads(VECTORS.read_text(encoding="utf-8"))) == []


def test_numbers_are_spelled_as_the_record_spells_them(page: Any):
    numbers = [0, -1, 10**30, 0.0, -0.0, 1.0, 0.1, 1e-4, 1e-5, 123456.789, 1e15, 1e16, 1.5e300, 5e-324, -2.5e-7, 0.9999]
    spelled = page.evaluate(
        "(texts) => texts.map((text) => verifier.canonical(verifier.parse(text)))", [canonical_json(n) for n in numbers]
    )
    assert spelled == [canonical_json(n) for n in numbers]


def test_keys_and_texts_are_written_as_the_record_writes_them(page: Any):
    value = {"b": [True, None, '\u2028 \x7f \x1f \\ " / žluť 🎲'], "\uff5e": 1, "🎲": 2, "a": {}, "": []}
    text = canonical_json(value)
    assert page.evaluate("(text) => verifier.canonical(verifier.parse(text))", text) == text


def test_page_over_plain_http_says_so_and_verifies_with_its_own_hashes(plain_page: Any):
    assert plain_page.evaluate("isSecureContext") is False
    assert "plain http" in plain_page.inner_text("#engine")
    assert plain_page.evaluate(CHECK_VECTORS, json.loads(VECTORS.read_text(encoding="utf-8"))) == []
    assert choose(plain_page, urn_export()).startswith("Proved")


def test_own_hash_agrees_with_the_browsers_for_every_length_around_a_block(page: Any):
    different = page.evaluate(
        """async () => {
            const wrong = [];
            for (let length = 0; length < 200; length++) {
                const data = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
                const own = verifier.toHex(verifier.plainSha256(data));
                if (own !== verifier.toHex(await verifier.sha256(data, false))) wrong.push(length);
            }
            return wrong;
        }"""
    )
    assert different == []


def test_page_refuses_a_record_altered_in_any_byte_with_the_line(page: Any):
    export = urn_export()
    rng = Random(30)
    altered = [(place, (export[place] + rng.randint(1, 255)) % 256) for place in rng.sample(range(len(export)), 120)]
    lines = page.evaluate(
        """async ([text, altered]) => {
            const bytes = new TextEncoder().encode(text), lines = [];
            for (const [place, byte] of altered) {
                const copy = bytes.slice();
                copy[place] = byte;
                try { await verifier.verify(copy); lines.push(0); } catch (error) { lines.push(error.line); }
            }
            return lines;
        }""",
        [export.decode(), altered],
    )
    for (place, _), line in zip(altered, lines, strict=True):
        assert line - (export.count(b"\n", 0, place) + 1) in (0, 1), (place, line)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_has_no_accessibility_fault_and_fits_a_phone(page: Any, scheme: str):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 380, "height": 800})
    choose(page, urn_export())
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    found = Axe().run(page).response["violations"]
    assert [(violation["id"], len(violation["nodes"])) for violation in found] == []
