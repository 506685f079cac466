"""The addresses of events: what each is for, and who may."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.core.errors import DataError
from companion.hub.events.changes import (
    Change,
    EventEnded,
    PlayerChanged,
    PlayersAdded,
    ResultGiven,
    RoundLengthened,
    RoundPaired,
    RoundStarted,
    RulesChanged,
    SeatsSwapped,
)
from companion.hub.events.exchange import event_json, read_players, results_csv, standings_csv
from companion.hub.events.games import next_round
from companion.hub.events.model import Criterion, EventError, EventRules, HallEvent, Player, RoundTable, Shared
from companion.hub.events.standings import EXPLAINED, TITLES, spoken, standings
from companion.hub.events.statistics import careers
from companion.hub.store.staff import StaffRole
from companion.i18n import localize
from web.hall.desk import Desk
from web.hall.events.forms import SIZES, TIE_BREAKS, result_of_form, rules_fields, rules_of_form, whole
from web.hall.events.views import for_public, own_games, pairing_told, tables_of, total
from web.joining.pictures import code_svg
from web.texts import language, translator

SECRET_BYTES = 9
"""Opens a player's own page: 72 bits of chance, twelve letters in the code."""
ORGANISER = StaffRole.ORGANISER


class _Pages:
    """What the routes of events share."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.hall = desk, desk.hall

    def now(self, event: int) -> HallEvent:
        """The event with every result that has come."""
        return self.hall.results.collect(event, self.hall.clock_ms())

    def public(self, event: int, but: int = 0) -> tuple[HallEvent, HallEvent]:
        """The event as the public may see it: where people sit now, and what is known after the delay."""
        present = self.now(event)
        late = self.hall.events.event(event, self.hall.clock_ms() - present.rules.delay_s * 1000)
        translate = translator(language())
        return for_public(present, translate, but), for_public(late, translate, but)

    def stamp(self, event: int, secret: str = "") -> str:
        """Differs when a page would: for the hall's people and a player's own page after every change; for the public
        after changes of the rounds, and of results only when the delay has passed."""
        present = self.now(event)
        if self.desk.person() is not None or any(p.secret and p.secret == secret for p in present.players):
            return str(present.changes)
        rounds = sum(not isinstance(entry.change, ResultGiven) for entry in self.hall.events.entries(event))
        late = self.hall.events.event(event, self.hall.clock_ms() - present.rules.delay_s * 1000)
        return f"{rounds}-{late.changes}"

    def names(self) -> Mapping[int, str]:
        """The names of the hall's tables."""
        return {table.id: table.name for table in self.hall.tables.all()}

    def change(self, event: int, change: Change, *roles: StaffRole) -> HallEvent:
        """Make a change that a form asks for, unless the event has changed since the form was shown."""
        person = self.desk.change(*roles)
        seen = request.form.get("seen", "")
        return self.hall.events.change(event, change, person.name, self.hall.clock_ms(),
                                       int(seen) if seen.isascii() and seen.isdigit() else None)

    def page(self, template: str, event_id: int, event: HallEvent, **more: Any) -> str:
        """A page of one event."""
        return render_template(
            template, event=event, event_id=event_id, stamp=self.stamp(event_id, more.get("secret", "")),
            now_ms=self.hall.clock_ms(), titles=TITLES, spoken=spoken,
            say=_saying(), **more,
        )


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("events", __name__, template_folder="templates")
    pages = _Pages(desk)
    _lists(found, pages)
    _organising(found, pages)
    _players(found, pages)
    _results(found, pages)
    _reading(found, pages)
    return found


def _saying() -> Callable[[Any], Any]:
    """What says messages in the reader's language."""
    translate = translator(language())
    return lambda message: localize(message, translate)


def _back(event: int, room: str = "one") -> AnyResponse:
    return redirect(url_for(f"events.{room}", event=event), 303)


def _lists(found: Blueprint, pages: _Pages) -> None:
    hall, desk = pages.hall, pages.desk

    @found.get("/events")
    def everything() -> str:
        rules = EventRules(next(iter(hall.games), ""), secrets.token_hex(4))
        return render_template(
            "hall_events.html", events=[(number, hall.events.event(number)) for number in hall.events.all()],
            **_rules_form(rules, hall.games), may=desk.person() is not None,
        )

    @found.post("/events")
    def make() -> AnyResponse:
        person = desk.change(ORGANISER)
        form = request.form
        number = hall.events.make(form.get("name", ""), rules_of_form(form, hall.games), person.name, hall.clock_ms())
        return _back(number, "players")

    @found.get("/events/statistics")
    def statistics() -> str:
        staff = desk.person() is not None
        known = [pages.hall.events.event(number) for number in hall.events.all()]
        if not staff:
            known = [hall.events.event(number, hall.clock_ms() - event.rules.delay_s * 1000)
                     for number, event in zip(hall.events.all(), known, strict=True)]  # fmt: skip
        people = careers(known)
        hidden = set() if staff else {each.key for each in people if each.anonymous}
        return render_template("hall_statistics.html", people=[each for each in people if each.key not in hidden],
                               names={each.key: each.name for each in people}, hidden=hidden, spoken=spoken,
                               say=_saying())


def _rules_form(rules: EventRules, games: Mapping[str, str]) -> dict[str, Any]:
    ties = [kind for kind in Criterion if kind is not Criterion.POINTS]
    return {"fields": rules_fields(rules, games), "game_titles": games, "sizes": SIZES, "ties": ties,
            "tie_count": TIE_BREAKS, "titles": TITLES, "explained": EXPLAINED, "shared": Shared}


def _organising(found: Blueprint, pages: _Pages) -> None:
    @found.get("/events/<int:event>")
    def one(event: int) -> str:
        if pages.desk.person() is None:
            present, late = pages.public(event)
            last = present.round
            seats = () if last is None else tables_of(present, last, pages.names(), results=False)
            return pages.page("hall_event_public.html", event, present, round=last, tables=seats,
                              rows=standings(late))
        now = pages.now(event)
        last = now.round
        tables = () if last is None else tables_of(now, last, pages.names())
        told = "" if last is None else pairing_told(now, last)
        waits = last is not None and last.started_ms is None
        more = not now.over and not waits and (last is None or last.complete) and len(now.rounds) < now.rules.rounds
        return pages.page("hall_event.html", event, now, round=last, tables=tables, told=told, waits=waits, more=more,
                          pick=request.args.get("pick", type=int), here=sum(p.here for p in now.players))

    @found.post("/events/<int:event>/pair")
    def pair(event: int) -> AnyResponse:
        pages.desk.change(ORGANISER)
        now = pages.now(event)
        again = 0
        if now.round is not None and now.round.started_ms is None:  # other lots than the last time
            again = int(now.round.seed.rsplit("/", 1)[1]) + 1
        pairing, seated = next_round(now, again)
        halls = [table.id for table in pages.hall.tables.all()]
        tables = tuple(
            RoundTable(n + 1, halls[n] if n < len(halls) else None, seats) for n, seats in enumerate(seated)
        )
        pages.change(event, RoundPaired(tables, pairing.byes, pairing.seed, pairing.repeats, pairing.bound), ORGANISER)
        return _back(event)

    @found.post("/events/<int:event>/swap")
    def swap(event: int) -> AnyResponse:
        pages.change(event, SeatsSwapped(whole(request.form, "one"), whole(request.form, "other")), ORGANISER)
        return _back(event)

    @found.post("/events/<int:event>/start")
    def start(event: int) -> AnyResponse:
        pages.change(event, RoundStarted(), ORGANISER)
        return _back(event)

    @found.post("/events/<int:event>/lengthen")
    def lengthen(event: int) -> AnyResponse:
        pages.change(event, RoundLengthened(whole(request.form, "minutes")), ORGANISER)
        return _back(event)

    @found.post("/events/<int:event>/end")
    def end(event: int) -> AnyResponse:
        pages.change(event, EventEnded(), ORGANISER)
        return _back(event, "ranked")

    @found.get("/events/<int:event>/rules")
    def rules(event: int) -> str:
        pages.desk.need()
        now = pages.now(event)
        return pages.page("hall_event_rules.html", event, now, **{
            key: value for key, value in _rules_form(now.rules, pages.hall.games).items() if key != "titles"
        })  # fmt: skip

    @found.post("/events/<int:event>/rules")
    def change_rules(event: int) -> AnyResponse:
        pages.desk.change(ORGANISER)
        pages.change(event, RulesChanged(rules_of_form(request.form, pages.hall.games)), ORGANISER)
        return _back(event)


def _players(found: Blueprint, pages: _Pages) -> None:
    @found.get("/events/<int:event>/players")
    def players(event: int) -> str:
        pages.desk.need()
        return pages.page("hall_event_players.html", event, pages.now(event))

    @found.post("/events/<int:event>/players")
    def add(event: int) -> AnyResponse:
        pages.desk.change(ORGANISER)
        now = pages.hall.events.event(event)
        first = max((player.number for player in now.players), default=0) + 1
        upload = request.files.get("file")
        text = upload.read().decode("utf-8", errors="replace") if upload else ""
        new = read_players(text or request.form.get("text", ""), first)
        made = tuple(replace(player, secret=secrets.token_urlsafe(SECRET_BYTES)) for player in new)
        pages.change(event, PlayersAdded(made), ORGANISER)
        return _back(event, "players")

    @found.post("/events/<int:event>/players/<int:number>")
    def change_player(event: int, number: int) -> AnyResponse:
        pages.desk.change(ORGANISER)
        was = pages.hall.events.event(event).player(number)
        do = request.form.get("do")
        changed = {
            "leave": replace(was, here=False), "return": replace(was, here=True),
            "hide": replace(was, anonymous=True), "show": replace(was, anonymous=False),
            "name": replace(was, name=request.form.get("name", ""), club=request.form.get("club", "").strip()),
        }  # fmt: skip
        if do not in changed:
            raise DataError("expected leave, return, hide, show or name")
        pages.change(event, PlayerChanged(changed[do]), ORGANISER)
        return _back(event, "players")

    @found.get("/events/<int:event>/p/<secret>")
    def own(event: int, secret: str) -> str:
        who = _by_secret(pages.hall.events.event(event), secret)
        present, _ = pages.public(event, who.number)
        return pages.page("hall_event_player.html", event, present, player=who, secret=secret,
                          games=own_games(present, who.number, pages.names()), round=present.round,
                          points=spoken(total(present, who.number)))


def _by_secret(event: HallEvent, secret: str) -> Player:
    for player in event.players:
        if player.secret and secrets.compare_digest(player.secret.encode(), secret.encode()):
            return player
    raise EventError("this code opens no player's page")


def _results(found: Blueprint, pages: _Pages) -> None:
    def table_of(now: HallEvent, number: int, table: int) -> RoundTable:
        if 1 <= number <= len(now.rounds):
            for each in now.rounds[number - 1].tables:
                if each.number == table:
                    return each
        raise EventError("there is no such table")

    @found.get("/events/<int:event>/rounds/<int:number>/tables/<int:table>")
    def result(event: int, number: int, table: int) -> str:
        pages.desk.need()
        now = pages.now(event)
        table_of(now, number, table)
        views = tables_of(now, now.rounds[number - 1], pages.names())
        view = next(each for each in views if each.table.number == table)
        return pages.page("hall_event_result.html", event, now, number=number, view=view)

    @found.post("/events/<int:event>/rounds/<int:number>/tables/<int:table>")
    def give(event: int, number: int, table: int) -> AnyResponse:
        pages.desk.change()
        made = result_of_form(table_of(pages.hall.events.event(event), number, table), request.form)
        pages.change(event, ResultGiven(number, table, made, request.form.get("reason", "")))
        return _back(event)


def _reading(found: Blueprint, pages: _Pages) -> None:
    @found.get("/events/<int:event>/standings")
    def ranked(event: int) -> str:
        staff = pages.desk.person() is not None
        shown = pages.now(event) if staff else pages.public(event)[1]
        after = request.args.get("after", type=int)
        through = after if after is not None and 0 < after <= len(shown.rounds) else None
        return pages.page("hall_event_standings.html", event, shown, rows=standings(shown, through), through=through,
                          explained=EXPLAINED)

    @found.get("/events/<int:event>/as-of")
    def as_of(event: int) -> Response:
        return jsonify(stamp=pages.stamp(event, request.args.get("p", "")))

    @found.get("/events/<int:event>/history")
    def history(event: int) -> str:
        pages.desk.need()
        now = pages.now(event)
        given = [
            (each.number, view, entry)
            for each in now.rounds for view in tables_of(now, each, pages.names()) for entry in view.table.given
        ]  # fmt: skip
        given.sort(key=lambda one: -one[2].at_ms)
        return pages.page("hall_event_history.html", event, now, given=given)

    @found.get("/events/<int:event>/print/<what>")
    def printed(event: int, what: str) -> str:
        pages.desk.need()
        now = pages.now(event)
        if what not in ("plan", "sheets", "codes"):
            raise DataError("expected plan, sheets or codes")
        address = request.host_url.rstrip("/")
        tables = () if now.round is None else tables_of(now, now.round, pages.names())
        return pages.page(
            "hall_event_print.html", event, now, what=what, round=now.round, tables=tables,
            seat_of={seat.player.number: (view.name, seat.seat) for view in tables for seat in view.seats},
            code=lambda path: code_svg(f"{address}{path}"),
        )

    @found.get("/events/<int:event>/export/<name>")
    def export(event: int, name: str) -> Response:
        pages.desk.need()
        now = pages.now(event)
        written = {
            "standings.csv": lambda: standings_csv(now), "results.csv": lambda: results_csv(now),
            "event.json": lambda: json.dumps(event_json(now), ensure_ascii=False, indent=1),
        }  # fmt: skip
        if name not in written:
            raise DataError("expected standings.csv, results.csv or event.json")
        kind = "application/json" if name.endswith("json") else "text/csv; charset=utf-8"
        answer = Response(written[name](), content_type=kind)
        answer.headers["Content-Disposition"] = f"attachment; filename={name}"
        return answer
