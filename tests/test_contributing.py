"""README, CONTRIBUTING and docs name only paths, make targets and commands that exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.app.cli import cli, gather

ROOT = Path(__file__).parents[1]
BESIDE_DOCS = [*(ROOT / "examples").rglob("*.md"), *(ROOT / "firmware_bridge").rglob("*.md")]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *BESIDE_DOCS])
SHOWN = sorted([ROOT / "README.md", *(ROOT / "docs" / "guide").glob("*.md"), *BESIDE_DOCS])
TOPS = "companion|vision|calibration|firmware_bridge|web|tests|docs|examples"
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(rf"(?:{TOPS})/[\w./<>*-]+")


def named(path: Path) -> str:
    """The path of a page as a test's name shows it."""
    return path.relative_to(ROOT).as_posix()


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slug(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def wrong_links(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            found.append(link)
    return found


def wrong_paths(text: str) -> list[str]:
    """The paths named as code that do not exist; `<game>` and `*` stand for any name."""
    spans = SPAN.findall(FENCE.sub("", text))
    names = [name.rstrip("/.") for span in spans for name in PATH.findall(span) if PATH.match(span)]
    return [name for name in names if not list(ROOT.glob(re.sub(r"<\w+>|NAME", "*", name)))]


def commands(text: str) -> Iterator[list[str]]:
    """The words after `companion` of every command that a page shows, in a block of code or in a line."""
    fenced = "\n".join(FENCE.findall(text))
    plain = FENCE.sub("", text)
    lines = [*fenced.splitlines(), *re.findall(r"^ {4,}(.*)", plain, re.MULTILINE)]
    lines += SPAN.findall(plain)
    for line in lines:
        shown = line.strip().removeprefix("$ ").replace(r"\|", "|")
        if re.match(r"companion [a-z-]", shown):
            words = shlex.split(shown, comments=True)[1:]
            end = next((n for n, word in enumerate(words) if word in "<>|"), len(words))
            yield [word for word in words[:end] if word not in ("…", "...")]


def problem(words: list[str]) -> str:
    """What is wrong with a command: an unknown name, option or value of a closed set; empty when nothing is."""
    gather()
    command: click.Command = cli
    context = click.Context(cli, info_name="companion")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        inner = command.get_command(context, words[0])
        if inner is None:
            return f"no command {words[0]!r} in {context.command_path!r}"
        command, context, words = inner, click.Context(inner, info_name=words[0], parent=context), words[1:]
    try:
        values, _, _ = command.make_parser(context).parse_args(list(words))
        for parameter in command.params:
            given = values.get(parameter.name or "")
            if isinstance(parameter.type, click.Choice) and isinstance(given, str):
                parameter.type.convert(given, parameter, context)
    except click.UsageError as error:
        return error.format_message()
    return ""


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert wrong_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_path_that_is_named_exists(page: Path) -> None:
    assert wrong_paths(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", SHOWN, ids=named)
def test_every_command_that_is_shown_exists_with_its_options(page: Path) -> None:
    shown = list(commands(page.read_text(encoding="utf-8")))
    assert [f"companion {' '.join(words)}: {why}" for words in shown if (why := problem(words))] == []


@pytest.mark.parametrize("page", [*SHOWN, ROOT / "CONTRIBUTING.md"], ids=named)
def test_every_target_of_make_that_is_named_exists(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+)[\w, -]*:(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"(?:^ {4}|`)make ([a-z-]+)", text, re.MULTILINE)
    assert set(shown) <= targets


def test_a_path_that_is_gone_is_found() -> None:
    assert wrong_paths("`companion/core/game.py` and `companion/gone.py`") == ["companion/gone.py"]


@pytest.mark.parametrize(
    ("shown", "word"),
    [
        ("companion playy", "playy"),
        ("companion play --colour red", "--colour"),
        ("companion calibrate print --paper a5", "a5"),
        ("companion bench tables", "tables"),
        ("companion score --game", "--game"),
    ],
)
def test_a_command_that_is_not_there_is_found(shown: str, word: str) -> None:
    (words,) = commands(f"Type `{shown}`.")
    assert word in problem(words)


def helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """The name of a command and of all below it, and what its help says."""
    yield name, "\n\n".join((command.help or "", command.epilog or ""))
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from helps(inner, f"{name} {inner.name}")


def examples(text: str) -> list[str]:
    """The commands that a help shows, each as it stands on a terminal of 80 letters."""
    shown = "\n".join(click.formatting.wrap_text(text, 80, "  ", "  ", preserve_paragraphs=True).splitlines())
    after = shown[max(0, shown.find("Example")):]
    return re.findall(r"^ *(?:Example: )?(?:sudo )?(companion [a-z].*)$", after, re.MULTILINE)


def test_examples_of_every_help_are_whole_lines_that_exist() -> None:
    gather()
    wrong = []
    for name, text in helps(cli, "companion"):
        meant = " ".join(text.partition("Example")[2].split())
        for line in examples(text):
            words = shlex.split(line)
            end = next((n for n, word in enumerate(words) if word in (">", "&&")), len(words))
            why = problem(words[1:end]) or ("a placeholder" if "GAME" in words else "")
            wrong += [f"{name}: {line}: {why}"] if why else []
        if text.count("Example: ") and examples(text) and meant.removeprefix(": ") != " ".join(examples(text)):
            wrong.append(f"{name}: {meant} is broken into lines")
    assert wrong == []


def test_every_help_has_an_example_on_a_line_of_its_own() -> None:
    gather()
    names = {name for name, _ in helps(cli, "companion")}
    groups = {name.rpartition(" ")[0] for name in names}
    without = [name for name, text in helps(cli, "companion") if name not in groups and not examples(text)]
    assert without == []


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_pictures_of_the_readme_load_fast() -> None:
    assert (ROOT / "docs" / "pictures" / "demo.webp").stat().st_size < 1_500_000
