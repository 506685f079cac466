"""Envyra for 2 to 4 players: every clause of the rulebook, its variants and the house rulings."""

from __future__ import annotations

from pathlib import Path

from companion.core.game import GameSpec
from companion.games.envyra.actions import ACTION_TYPES, DRAW_TYPES
from companion.games.envyra.clauses import CLAUSES
from companion.games.envyra.edition.catalogue import faces_of, load_catalogue, pieces_of, same_looks
from companion.games.envyra.edition.form import FORM
from companion.games.envyra.edition.names import table_names
from companion.games.envyra.edition.options import MAX_SEATS, MIN_SEATS, OPTIONS
from companion.games.envyra.legality.chance import draws_told_by
from companion.games.envyra.legality.check import for_seat_only
from companion.games.envyra.play.scoring import check_faces, score_faces
from companion.games.envyra.rules import EnvyraRules
from companion.games.envyra.table.as_it_lies import as_it_lies
from companion.games.envyra.table.blame import blame_change
from companion.games.envyra.table.describe import SECRET_SENTENCES
from companion.games.envyra.table.reminders import REMINDERS
from companion.games.envyra.table.telling import turn_words, what_followed
from companion.games.envyra.table.unread_rules import UnreadRules

GAME = GameSpec(
    name="envyra",
    title="Envyra",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    clauses=CLAUSES,
    options=OPTIONS,
    action_types=ACTION_TYPES,
    draw_types=DRAW_TYPES,
    default_catalogue="sample",
    load_catalogue=load_catalogue,
    make_rules=EnvyraRules,
    locale_dir=Path(__file__).parent / "locale",
    score_faces=score_faces,
    check_faces=check_faces,
    same_looks=same_looks,
    face_clause="E65",
    set_clause="E66",
    pieces=pieces_of,
    faces=faces_of,
    # E4 names purple, gray and pink; the fourth colour is not in the rulebook and is sample data
    colours=("purple", "gray", "pink", "white"),
    form=FORM,
    blame=blame_change,
    reminders=REMINDERS,
    as_it_lies=as_it_lies,
    infer=UnreadRules,
    secret_sentences=SECRET_SENTENCES,
    for_seat_only=for_seat_only,
    draws_told_by=draws_told_by,
    table_names=table_names,
    tiebreaks=("set points", "the End tile"),  # E67
    turn_words=turn_words,
    what_followed=what_followed,
)
