"""The course of a box of Rifts and its pieces' colours, killed at any moment: they go on where they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from killed_work import killed, moments

from calibration.course.course import Course
from calibration.course.course_folder import CourseFolder
from calibration.piece_colours.colour_enrolment import ColourReport, read_report, write_report
from companion.app.files.atomic_write import write_whole
from companion.games.rifts import GAME
from companion.games.rifts.edition.form import FORM, outlines
from vision.appearance.picture_light import PieceColours

TILE = next(one for one in outlines() if len(one.parts_mm) == 3).name
ANSWERS = [
    *((number, f"land_{space}", "mountain") for number in (1, 2) for space in (1, 2, 3)),
    *((number, f"{sign}_{space}", "no") for number in (1, 2) for sign in ("enemy", "rift") for space in (1, 2, 3)),
]
NAMES = ["1-1.png", "2-1.png"]


def courses() -> list[Course]:
    """The course after each act of the person: two tiles are taken, each answer is told, both are kept."""
    out = [Course(GAME.name)]
    out.append(out[-1].laid(NAMES, [{"shape": TILE}] * len(NAMES)))
    for number, key, value in ANSWERS:
        out.append(out[-1].told(number, key, value, FORM))
    return [*out, out[-1].accepted({}, FORM)]


def go_on(folder: Path) -> None:
    """Do every act that the course on the disk has not seen."""
    here, every = CourseFolder(folder, GAME.name, write_whole), courses()
    done = every.index(here.read())
    for course in every[done + 1 :]:
        if not here.read().pieces:
            for name in NAMES:
                here.add(name, np.full((8, 8, 3), 90, np.uint8))
        here.save(course)


def test_a_course_of_rifts_killed_in_the_middle_goes_on_where_it_was(tmp_path: Path) -> None:
    reached = set()
    for at in moments(lambda: go_on(tmp_path / "whole")):
        folder = tmp_path / str(at)
        assert killed(lambda folder=folder: go_on(folder), at) is None
        left = CourseFolder(folder, GAME.name, write_whole).read()
        assert left in courses()
        assert all(CourseFolder(folder, GAME.name, write_whole).picture(one.pictures[0]).size for one in left.pieces)
        reached.add(courses().index(left))
        go_on(folder)
        assert CourseFolder(folder, GAME.name, write_whole).read() == courses()[-1]
    assert len(reached) > len(ANSWERS) / 2, "killed early and late"


def test_colours_that_were_learnt_stay_when_the_next_are_killed_while_they_are_written(tmp_path: Path) -> None:
    def report(*names: str) -> ColourReport:
        return ColourReport(PieceColours(names, tuple((90.0, 80.0, 70.0) for _ in names)), (), ())

    mages, every, path = report("yellow", "blue"), report("yellow", "blue", "enemy"), tmp_path / "colours.json"
    write_report(path, mages, write_whole)
    last = killed(lambda: write_report(tmp_path / "other.json", every, write_whole), -1)
    assert last is not None
    for at in range(1, last + 1):
        write_report(path, mages, write_whole)
        assert killed(lambda: write_report(path, every, write_whole), at) is None
        assert read_report(path).colours.names in (mages.colours.names, every.colours.names)
