"""Rifts of N'Norya for 1 to 4 mages together: every clause of the rulebook, and house rulings where it is silent."""

from __future__ import annotations

from pathlib import Path

from companion.core.game import GameSpec
from companion.games.rifts.actions import ACTION_TYPES, DRAW_TYPES
from companion.games.rifts.clauses import CLAUSES
from companion.games.rifts.edition.catalogue import load_catalogue
from companion.games.rifts.edition.form import FORM
from companion.games.rifts.edition.names import table_names
from companion.games.rifts.edition.options import COLOURS, MAX_SEATS, MIN_SEATS, OPTIONS
from companion.games.rifts.edition.spell_form import SPELL_FORM
from companion.games.rifts.rules import RiftsRules
from companion.games.rifts.table.blame import blame_change
from companion.games.rifts.table.describe import (
    SECRET_SENTENCES,
    beside_board,
    beside_seat,
    describe_offer,
    for_seat_only,
)
from companion.games.rifts.table.reminders import REMINDERS
from companion.games.rifts.table.telling import turn_words, what_followed

GAME = GameSpec(
    name="rifts",
    title="Rifts of N'Norya",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    clauses=CLAUSES,
    options=OPTIONS,
    action_types=ACTION_TYPES,
    draw_types=DRAW_TYPES,
    default_catalogue="sample",
    form=FORM,
    more_forms=(SPELL_FORM,),
    load_catalogue=load_catalogue,
    make_rules=RiftsRules,
    locale_dir=Path(__file__).parent / "locale",
    colours=COLOURS,
    offer=describe_offer,
    blame=blame_change,
    reminders=REMINDERS,
    beside_board=beside_board,
    beside_seat=beside_seat,
    secret_sentences=SECRET_SENTENCES,
    for_seat_only=for_seat_only,
    table_names=table_names,
    turn_words=turn_words,
    what_followed=what_followed,
    tiebreaks=("gold",),  # N60
    together=True,  # N5, N6, N7
)
