"""See `web.ports.enrolment`: the courses of all games, each in its folder, and the boxes that come of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.box_file import EnrolledBox
from calibration.course.course import Course, CoursePiece, same_look
from calibration.course.course_folder import CourseFolder
from calibration.course.derived_form import derived_form
from calibration.course.references import look_of, references_of
from calibration.course.upright import outline_turned, quarter_turned, turns_of, turns_within
from calibration.course.written_catalogue import catalogue_toml, piece_ids
from calibration.piece_colours.colour_enrolment import report_text
from calibration.proposals.faces import Proposal
from calibration.proposals.parts import PartsReader, inner_pictures, part_picture, reader_of
from calibration.proposals.read import FaceReader
from companion.app.camera.known_box import enrolled_colours
from companion.app.enrolment.looking import CutPiece, LooseEyes
from companion.app.enrolment.saved_boxes import SavedBoxes, file_name
from companion.app.files import paths
from companion.app.files.atomic_write import write_whole
from companion.app.files.settings import Settings
from companion.core.errors import DataError
from companion.core.face_form import FaceForm, Progress, Shown, Values
from companion.core.game import GameSpec
from companion.core.game_kit.any_table import colour_groups
from companion.core.piece_outline import PieceOutline
from companion.games import find_game, game_names
from companion.i18n import LANGUAGES, translations
from web.ports.enrolment import OF, CourseRead, EnrolLook, FieldRead, PieceRead, game_of

U8 = NDArray[np.uint8]

NOTHING_YET = "Nothing is learnt yet."
STILL_OPEN = "Look over the pieces that were taken last, and keep them."
COUNTS_WRONG = "Pieces are missing or too many: the counts say which."
OTHERS_WRONG = "The pieces of another sort are not learnt whole yet: choose them at the top."


class Enrolment:
    """Calls from any thread; one changes a course at a time."""

    def __init__(self, settings: Settings, eyes: LooseEyes, use: Callable[[Path], None]) -> None:
        """`use`: play with this box from now on."""
        self._settings, self._eyes, self._use = settings, eyes, use
        self._boxes = SavedBoxes(paths.data_dir(settings) / "boxes")
        self._lock = threading.RLock()
        self._readers: dict[str, FaceReader | PartsReader] = {}
        self._pictures: dict[tuple[str, str], U8] = {}
        self._read: dict[str, tuple[Course, dict[int, Mapping[str, Proposal]]]] = {}

    def games(self) -> Sequence[str]:
        """The games that declare what is printed on their pieces, or whose catalogue tells it."""
        return [name for name in game_names() if find_game(name).form is not None or _derived(name) is not None]

    def sorts(self, game: str) -> Sequence[str]:
        """The courses of a game: of the pieces of its form, and of those of each further one."""
        return [game, *(f"{game}{OF}{form.table}" for form in find_game(game).more_forms)]

    def look(self, game: str) -> EnrolLook:
        """What lies before the camera now."""
        return self._eyes.look(_form(game))

    def read(self, game: str) -> CourseRead:
        """How far the course is."""
        with self._lock:
            form, courses = _form(game), self._courses(game)
            course = courses[game]
            said = self._proposals(course)
            pieces = tuple(self._piece(one, course, form, said[one.number]) for one in course.pieces)
            kept = course.kept
            return CourseRead(
                game, form, pieces, _with_numbers(form.progress([one.values for one in kept]), kept),
                self._colour_groups(game_of(game)), self._trouble(course, form) or self._others_trouble(game, courses),
                self._boxes.newest_of(game_of(game)), course.numbers,
                tuple((name, _form(name)) for name in courses),
            )

    def take(self, game: str) -> int:
        """Take what lies before the camera."""
        form, folder = _form(game), self._folder(game)
        cut = self._eyes.cut(form)
        with self._lock:
            course = folder.read()
            told = [_told_by_finding(form, one.outline) for one in cut]
            names = [f"{course.next_number + k}-1.png" for k in range(len(cut))]
            for name, picture in zip(names, self._upright(form, course, cut, told), strict=True):
                folder.add(name, picture)
            folder.save(course.laid(names, told))
        return len(cut)

    def _upright(self, form: FaceForm, course: Course, cut: Sequence[CutPiece], told: Sequence[Values]) -> list[U8]:
        """The pictures of pieces turned the same way up as those that are kept; each outline by itself."""
        out = [one.picture for one in cut]
        for outline in dict.fromkeys(form.outline(values) for values in told):
            mine = [k for k, values in enumerate(told) if form.outline(values) == outline]
            known = [
                self._picture(course.game, one.pictures[-1]) for one in course.kept
                if form.outline(one.values) == outline
            ]
            ways = range(_turns(form, outline))
            spaces = None if outline is None or not outline.parts_mm else partial(inner_pictures, outline=outline)
            turns = turns_of([out[k] for k in mine], known, ways, partial(_turned, form, outline), spaces)
            for k, turn in zip(mine, turns, strict=True):
                out[k] = _turned(form, outline, out[k], turn)
        return out

    def tell(self, game: str, answers: Sequence[tuple[int, str, str]]) -> None:
        """A person said what fields are."""
        self._change(game, lambda course, form: _told(course, form, answers))

    def keep(self, game: str) -> None:
        """The open pieces are as they are shown."""
        with self._lock:
            form, course = _form(game), self._folder(game).read()
            said = self._proposals(course)
            for one in course.open:
                unsure = [key for key, proposal in said[one.number].items() if not proposal.sure]
                if unsure:
                    raise ValueError(f"piece {one.number}: {unsure[0]} was not looked at")
            values = {
                number: {key: p.value for key, p in fields.items() if p.value is not None}
                for number, fields in said.items()
            }
            self._folder(game).save(course.accepted(values, form))

    def turn(self, game: str, number: int, quarters: int) -> None:
        """Turn a piece, or with 0 every open one."""
        with self._lock:
            form, folder, course = _form(game), self._folder(game), self._folder(game).read()
            for one in (course.piece(number),) if number else course.open:
                names = []
                for name in one.pictures:
                    stem, _, version = name.removesuffix(".png").partition("-")
                    names.append(f"{stem}-{int(version) + 1}.png")
                    # a rectangle is tapped round by quarters, also one that never lies so
                    picture, outline = self._picture(game, name), form.outline(one.values)
                    folder.add(names[-1], quarter_turned(picture, quarters) if outline is None
                               else outline_turned(picture, outline, quarters))
                course = course.turned(one.number, names)
                self._reader(game).forget(one.number)
            folder.save(course)

    def say(self, game: str, numbers: Mapping[str, int]) -> None:
        """A person said the numbers that stand on no piece."""
        self._change(game, lambda course, form: course.said(numbers, form))

    def drop(self, game: str, number: int) -> None:
        """Forget a piece."""
        self._change(game, lambda course, _: course.dropped(number))

    def again(self, game: str, number: int, of: int) -> None:
        """A piece was shown once more."""
        self._change(game, lambda course, _: course.shown_again(number, of))

    def picture(self, game: str, number: int, part: int | None = None) -> bytes:
        """The newest picture of a piece, or of one of its spaces."""
        with self._lock:
            piece = self._folder(game).read().piece(number)
            shown, outline = self._picture(game, piece.pictures[-1]), _form(game).outline(piece.values)
            if part is not None:
                if outline is None or not 0 <= part < len(outline.parts_mm):
                    raise ValueError(f"piece {number} has no space {part}")
                shown = part_picture(shown, outline, part)
            return cv2.imencode(".png", shown)[1].tobytes()

    def save(self, game: str, title: str) -> str:
        """Make a box of what is kept, and play with it."""
        with self._lock:
            own, courses = _form(game), self._courses(game)
            trouble = self._trouble(courses[game], own) or self._others_trouble(game, courses)
            if trouble:
                raise DataError(trouble, where="box")
            game = game_of(game)
            learnt_of = {sort: (course.kept, _form(sort)) for sort, course in courses.items()}
            name = file_name(title) or game
            (kept, form), *more = learnt_of.values()
            text = catalogue_toml(game, name, title, kept, form, more, courses[game].numbers)
            find_game(game).load_catalogue(text)  # raises DataError that lists everything that is wrong with it
            references: dict[str, Sequence[U8]] = {}
            for sort, (pieces, of) in learnt_of.items():
                references |= self._references(sort, pieces, of)
            colours = enrolled_colours(self._settings)
            learnt = report_text(colours) if colours is not None and colours.may_be_of(game) else ""
            return self._put(name, EnrolledBox(game, text, references, learnt, cut_at_edges=True))

    def _references(self, sort: str, kept: Sequence[CoursePiece], form: FaceForm) -> Mapping[str, Sequence[U8]]:
        """The pictures of the pieces of one course, by their ids."""
        ids = piece_ids(kept, form)
        shown: dict[str, list[U8]] = {}
        for one in kept:
            shown.setdefault(ids[one.number], []).extend(self._picture(sort, name) for name in one.pictures)
        values = {ids[one.number]: form.whole(one.values) for one in kept}
        return references_of(shown, {face: look_of(said, form) or face for face, said in values.items()}, values)

    def begin_anew(self, game: str) -> None:
        """Forget all pieces."""
        self._change(game, lambda course, _: replace(course, pieces=(), numbers={}))

    def box(self, name: str) -> bytes:
        """The file of a saved box."""
        return self._boxes.data(name)

    def load(self, name: str, data: bytes, game: str = "") -> tuple[str, str]:
        """Take a box file that was made elsewhere."""
        with self._lock:
            box = self._boxes.checked(name, data, game)
            return self._put(file_name(Path(name).stem) or box.game, box), box.game

    def _put(self, name: str, box: EnrolledBox) -> str:
        path = self._boxes.put(name, box)
        self._use(path)
        return path.name

    def _change(self, game: str, change: Callable[[Course, FaceForm], Course]) -> None:
        with self._lock:
            folder = self._folder(game)
            folder.save(change(folder.read(), _form(game)))

    def _piece(self, one: CoursePiece, course: Course, form: FaceForm, said: Mapping[str, Proposal]) -> PieceRead:
        fields = {}
        for field in form.fields:
            if field.key in one.values:
                fields[field.key] = FieldRead(one.values[field.key], True, True)
            elif field.key in said:
                p = said[field.key]
                fields[field.key] = FieldRead(p.value, p.sure, False, p.others, p.box)
        values = {key: read.value for key, read in fields.items() if read.value is not None}
        like = () if one.kept else same_look(course.pieces, form, values)
        return PieceRead(one.number, len(one.pictures), one.pictures[-1], one.kept, fields, like)

    def _proposals(self, course: Course) -> dict[int, Mapping[str, Proposal]]:
        """What every open piece seems to show; nothing is read of those that are kept."""
        before = self._read.get(course.game)
        if before is not None and before[0] == course:
            return before[1]
        reader = self._reader(course.game)
        pieces = [(one.number, self._picture(course.game, one.pictures[-1]), one.values) for one in course.pieces]
        said: dict[int, Mapping[str, Proposal]] = {one.number: {} for one in course.pieces}
        if course.open:
            read = reader.read(pieces)
            said = {one.number: {} if one.kept else found for one, found in zip(course.pieces, read, strict=True)}
        self._read[course.game] = (course, said)
        return said

    def _trouble(self, course: Course, form: FaceForm) -> str:
        if not course.kept:
            return NOTHING_YET
        if course.open:
            return STILL_OPEN
        lines = form.progress([one.values for one in course.kept])
        return COUNTS_WRONG if any(line.wrong or line.have < line.want for line in lines) else ""

    def _courses(self, game: str) -> dict[str, Course]:
        """All courses of the game that a course is of, by their names, that of its own form first."""
        return {sort: self._folder(sort).read() for sort in self.sorts(game_of(game))}

    def _others_trouble(self, game: str, courses: Mapping[str, Course]) -> str:
        """Why no box can be made because of the game's pieces of other sorts: a further sort may be left out, not one
        that was begun."""
        for sort, course in courses.items():
            if sort != game and (course.pieces or sort == game_of(game)) and self._trouble(course, _form(sort)):
                return OTHERS_WRONG
        return ""

    def _reader(self, game: str) -> FaceReader | PartsReader:
        if game not in self._readers:
            self._readers[game] = reader_of(_named_in_all_languages(_form(game), _spec(game_of(game))))
        return self._readers[game]

    def _picture(self, game: str, name: str) -> U8:
        if (game, name) not in self._pictures:
            self._pictures[game, name] = self._folder(game).picture(name)
        return self._pictures[game, name]

    def _folder(self, game: str) -> CourseFolder:
        return CourseFolder(paths.data_dir(self._settings) / "enrolment" / game, game, write_whole)

    def _colour_groups(self, game: str) -> tuple[tuple[tuple[str, ...], bool], ...]:
        """The groups of the game's pieces, and whether all of a group were learnt here."""
        report = enrolled_colours(self._settings)
        mine = report is not None and report.may_be_of(game)
        known = frozenset(report.colours.names if report is not None and mine else ())
        return tuple((names, known.issuperset(names)) for names in colour_groups(find_game(game)))


@lru_cache(maxsize=32)
def _derived(game: str) -> FaceForm | None:
    return derived_form(find_game(game))


def _form(sort: str) -> FaceForm:
    """The form of a course."""
    game, _, table = sort.partition(OF)
    form = _spec(game).form or _derived(game)
    if table:
        form = next((one for one in _spec(game).more_forms if one.table == table), None)
    if form is None:
        raise ValueError(f"the pieces of {sort} are not learnt on pages")
    return form


def _spec(game: str) -> GameSpec:
    if game not in game_names():
        raise ValueError(f"no game is called {game!r}")
    return find_game(game)


def _named_in_all_languages(form: FaceForm, spec: GameSpec) -> FaceForm:
    """The form with what pieces are called in each language that the companion knows: nobody says which a box has."""
    told = [translations(language, spec.locale_dir).gettext for language in LANGUAGES]
    fields = (
        replace(one, names=tuple(tuple(map(gettext, names)) for names in one.names for gettext in told))
        for one in form.fields
    )
    return replace(form, fields=tuple(fields))


def _told_by_finding(form: FaceForm, outline: str) -> dict[str, str]:
    """The values that a piece's outline tells."""
    return {one.key: outline for one in form.fields if one.shown is Shown.OUTLINE}


def _turns(form: FaceForm, outline: PieceOutline | None) -> int:
    """In how many turns a piece may lie in its picture."""
    if outline is not None:
        return turns_within(outline)
    return 4 if form.size_mm[0] == form.size_mm[1] else 2


def _turned(form: FaceForm, outline: PieceOutline | None, picture: U8, turns: int) -> U8:
    """A picture turned clockwise by so many of those turns."""
    if outline is not None:
        return outline_turned(picture, outline, turns)
    return quarter_turned(picture, turns * (4 // _turns(form, None)))


def _told(course: Course, form: FaceForm, answers: Sequence[tuple[int, str, str]]) -> Course:
    for number, key, value in answers:
        course = course.told(number, key, value, form)
    return course


def _with_numbers(lines: Sequence[Progress], kept: Sequence[CoursePiece]) -> tuple[Progress, ...]:
    """The lines with the numbers of pieces in the place of their order."""
    return tuple(replace(line, pieces=tuple(kept[k].number for k in line.pieces)) for line in lines)
