"""Spyrium for 2 to 5 players: every clause of the rulebook, and the house rulings where it is silent."""

from __future__ import annotations

from pathlib import Path

from companion.core.game import GameSpec
from companion.games.spyrium.actions import ACTION_TYPES, DRAW_TYPES
from companion.games.spyrium.clauses import CLAUSES
from companion.games.spyrium.edition.catalogue import load_catalogue
from companion.games.spyrium.edition.form import FORM
from companion.games.spyrium.edition.options import COLOURS, MAX_SEATS, MIN_SEATS, OPTIONS
from companion.games.spyrium.rules import SpyriumRules
from companion.games.spyrium.table.blame import blame_change
from companion.games.spyrium.table.describe import beside_board
from companion.games.spyrium.table.effects import design_sketch, event_sketch
from companion.games.spyrium.table.naming import table_names
from companion.games.spyrium.table.offers import describe_offer
from companion.games.spyrium.table.places import act_places
from companion.games.spyrium.table.reminders import REMINDERS
from companion.games.spyrium.table.telling import turn_words, what_followed

GAME = GameSpec(
    name="spyrium",
    title="Spyrium",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    clauses=CLAUSES,
    options=OPTIONS,
    action_types=ACTION_TYPES,
    draw_types=DRAW_TYPES,
    default_catalogue="sample",
    load_catalogue=load_catalogue,
    make_rules=SpyriumRules,
    locale_dir=Path(__file__).parent / "locale",
    colours=COLOURS,
    form=FORM.with_sketches("design", design_sketch).with_sketches("event", event_sketch),
    blame=blame_change,
    reminders=REMINDERS,
    beside_board=beside_board,
    offer=describe_offer,
    places=act_places,
    table_names=table_names,
    turn_words=turn_words,
    what_followed=what_followed,
)
