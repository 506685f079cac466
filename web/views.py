"""What a client may see of the table now, as one JSON object whose sentences are in the client's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from companion.core.game import GameSpec, Rules, State
from companion.core.types import Event, Result, Seat
from companion.draws.ceremony import Ceremony, Phase, ProofStep
from companion.i18n import localize
from companion.table.commands import Topic
from companion.table.ledger import Moment
from companion.table.outcome import places, why
from companion.table.record.updates import Update
from web.offers import may_take_back, offered_acts, possible_draws, tells_the_draw, who_tells_the_draw
from web.ports.tables import OpenTable
from web.roles.access import Client
from web.speaker import Speaker

MOST_TOLD = 8
"""Sentences about what is taken back, on a page; the rest is counted."""

PATTERNS = ("solid", "stripes", "dots", "checks", "waves")
"""The pattern that goes with a seat's colour, for who cannot tell colours apart."""


def titled(view: Any, translate: Callable[[str], str]) -> Any:
    """A game's view in a language: every `title` in it is a message id of the game."""
    if isinstance(view, Mapping):
        return {
            key: translate(value) if key == "title" and isinstance(value, str) else titled(value, translate)
            for key, value in view.items()
        }
    return [titled(one, translate) for one in view] if isinstance(view, (list, tuple)) else view


def steady_moment(table: OpenTable, viewer: Seat | None) -> tuple[Moment, dict[str, Any]]:
    """A moment and the session's snapshot of exactly that moment."""
    while True:
        moment = table.session.moment
        snapshot = table.session.snapshot(viewer)
        if snapshot["number"] == moment.number:
            return moment, snapshot


def page_state(table: OpenTable, client: Client, language: str) -> dict[str, Any]:
    """Everything a page of `client` shows of the table, without what this client may not know."""
    speaker = Speaker(table, language)
    moment, snapshot = steady_moment(table, client.seat)
    rules, state = table.session.rules, moment.state
    view = titled(localize(snapshot["view"], speaker.translate), speaker.translate)
    expected = view.get("expected", "")
    result = rules.result(state)
    return snapshot | {
        "view": view,
        "names": speaker.names,
        "title": table.spec.title,
        "role": client.role.value,
        "as": client.wire,
        "seats": _seats(table),
        "expected": speaker.text(expected) if expected else "",
        "clause": speaker.clause(view["clause"]) if view.get("clause") else None,
        "alerts": [_alert(speaker, alert) for alert in snapshot["alerts"]],
        "trouble": localize(moment.trouble, speaker.translate),
        "scores": _scores(speaker, view, result),
        "beside": speaker.prompter.beside_board(rules, state),
        "board": None if is_drawn(view) else board_json(rules, state),
        "actions": list(offered_acts(speaker, rules, state, client)),
        "outcomes": possible_draws(speaker, rules, state, client) if snapshot["draw_due"] else [],
        "turn": "" if client.seat is None else speaker.prompter.turn(rules, state, client.seat),
        "undo": may_take_back(table, client),
        "tells_draw": bool(snapshot["draw_due"]) and tells_the_draw(speaker, rules, state, client),
        "result": None if result is None else _result(speaker, table.spec, result),
        "draw_told_by": who_tells_the_draw(speaker, rules, state),
        "bag": bag_json(*table.bag.seen()) | {"automatic": table.session.draws_automatically},
    }


def picture_of(table: OpenTable, number: int, speaker: Speaker) -> dict[str, Any]:
    """What a spectator could see after record `number`: the keys of `page_state` that a picture of the table needs."""
    session, rules = table.session, table.session.rules
    state = session.state_after(number)
    view = titled(localize(rules.view(state, None), speaker.translate), speaker.translate)
    result = rules.result(state)
    expected = view.get("expected", "")
    return {
        "session": session.header.session,
        "title": table.spec.title,
        "number": number,
        "seats": _seats(table),
        "to_act": [seat.name for seat in rules.to_act(state)],
        "draw_due": bool(rules.chance_outcomes(state)),
        "over": result is not None,
        "paused": False,
        "alerts": [],
        "view": view,
        "expected": speaker.text(expected) if expected else "",
        "scores": _scores(speaker, view, result),
        "board": None if is_drawn(view) else board_json(rules, state),
        "result": None if result is None else _result(speaker, table.spec, result),
    }


def _seats(table: OpenTable) -> list[dict[str, str]]:
    return [
        {"seat": Seat(i).name, "name": info.name, "colour": info.colour, "pattern": PATTERNS[i]}
        for i, info in enumerate(table.session.header.setup.seats)
    ]


def _alert(speaker: Speaker, alert: Mapping[str, Any]) -> dict[str, Any]:
    steps = [speaker.text(step["message"], step["facts"]) for step in alert.get("steps", ())]
    clause = alert.get("clause")
    return {
        "id": alert["id"],
        "text": speaker.text(str(alert.get("text", "")), alert.get("facts", {})),
        "clause": speaker.clause(clause) if clause else None,
        "slots": list(alert.get("slots", ())),
        "steps": steps,
        "may_go_on": bool(alert.get("may_go_on")),
        "may_take_over": bool(alert.get("may_take_over")),
    }


def _scores(speaker: Speaker, view: Mapping[str, Any], result: Result | None) -> list[dict[str, Any]]:
    """The running score as the game's view gives it (so without secrets), or the final one."""
    if result is None:
        rows = [(seat["seat"], seat["score"]["total"], seat["score"]["lines"])
                for seat in view.get("seats", ()) if "score" in seat]
    else:
        rows = [(s.seat.name, s.total, [_line_json(line) for line in s.lines]) for s in result.scores]
    return [
        {
            "seat": seat,
            "total": total,
            "lines": [
                {
                    "text": speaker.text(line["label"], line["facts"]),
                    "clause": line["clause"],
                    "points": line["points"],
                    "faces": list(line["faces"]),
                }
                for line in lines
            ],
        }
        for seat, total, lines in rows
    ]


def _line_json(line: Any) -> dict[str, Any]:
    return {
        "label": line.label, "facts": dict(line.facts), "clause": line.clause, "points": line.points,
        "faces": line.faces,
    }


def _result(speaker: Speaker, spec: GameSpec, result: Result) -> dict[str, Any]:
    prompter = speaker.prompter
    if len(result.winners) == 1:
        won = speaker.text("{player} wins ({clause}).", {"player": result.winners[0], "clause": result.decided_by})
    elif result.winners:
        won = speaker.text(
            "A shared win: {players} ({clause}).", {"players": result.winners, "clause": result.decided_by}
        )
    else:
        won = speaker.text("Everyone has lost ({clause}).", {"clause": result.decided_by})
    return {
        "winners": [seat.name for seat in result.winners],
        "names": [prompter.name(seat) for seat in result.winners],
        "sentence": won,
        "set_clause": spec.set_clause,
        "why": speaker.prompter.text_of(*why(spec, result)),
        "ranking": [
            {"place": place if result.winners else None, "seat": score.seat.name, "total": score.total}
            for place, score in places(result)
        ],
        "ended_by": speaker.clause(result.clause),
        "decided_by": speaker.clause(result.decided_by),
        "tiebreaks": {score.seat.name: list(score.tiebreaks) for score in result.scores},
    }


def bag_json(ceremony: Ceremony, drawn: int) -> dict[str, Any]:
    """The digital bag: nothing of it is secret before the reveal, and the secret itself stays in the record."""
    return {
        "phase": ceremony.phase.name.lower(),
        "bag": ceremony.bag,
        "commitment": ceremony.commitment,
        "contributions": [
            {"seat": step["seat"], "how": step["how"], "value": step["value"]} for step in ceremony.contributions()
        ],
        "promises": [seat for seat, _ in ceremony.promises],
        "withheld": [s["seat"] for s in ceremony.steps if s["step"] == ProofStep.WITHHOLD.value],
        "drawn": drawn,
        "revealed": ceremony.phase is Phase.REVEALED,
    }


def is_drawn(view: Mapping[str, Any]) -> bool:
    """Whether the pages draw a game's view themselves, a grid of tiles with cubes, a market of cards with workers
    between them or a map of hexagonal spaces; other tables are drawn by slots."""
    if {"spaces", "sites", "corners"} <= (view.get("map") or {}).keys():
        return True
    cells = view.get("cells") or ()
    if view.get("gaps") and all({"slot", "card", "tokens", "workers"} <= cell.keys() for cell in cells):
        return True
    return bool(cells) and all({"slot", "tile", "cubes", "awaits_draw"} <= cell.keys() for cell in cells)


def board_json(rules: Rules, state: State) -> dict[str, Any]:
    """What lies on the table, slot by slot where the slots lie: millimetres, y towards the bottom seat."""
    board = rules.board(state)
    slots = []
    for outline in rules.layout().slots:
        here = board.at(outline.slot)
        slots.append(
            {
                "slot": outline.slot,
                "holds": outline.holds,
                "corners": [list(corner) for corner in outline.corners_mm],
                "face": here.face,
                "turn": here.turn,
                "pieces": [list(piece) for piece in here.pieces],
            }
        )
    return {"slots": slots}


def _open_detail(rules: Rules, event: Event, detail: Mapping[str, Any]) -> dict[str, Any]:
    """The cause of an event without what of a draw's proof may not be known yet."""
    found = dict(detail)
    if rules.is_secret(event):
        found.pop("proof", None)
    elif "proof" in found:
        found["proof"] = {k: v for k, v in found["proof"].items() if k != "previous"}
    return found


def _followed(table: OpenTable, update: Update, speaker: Speaker) -> list[str]:
    """What the rules made of a record's event by themselves, in sentences."""
    if update.event is None:
        return []
    session = table.session
    before, after = session.state_after(session.before(update.number)), session.state_after(update.number)
    return speaker.prompter.followed(session.rules, before, update.event, after)


def told_records(speaker: Speaker, numbers: Sequence[int], viewer: Seat | None) -> list[str]:
    """What the records with these numbers, which ascend, say to `viewer` (None: a spectator), the newest first; of
    many the newest MOST_TOLD."""
    session = speaker.table.session
    wanted = set(numbers[-MOST_TOLD:])
    span = max(wanted) - min(wanted) + 1
    updates = islice(session.subscribe(min(wanted) - 1).so_far(), span)
    found = [speaker.prompter.update(session.rules, one, viewer) for one in updates if one.number in wanted]
    left = len(numbers) - len(found)
    return [*reversed(found), *([speaker.text("and {n} more", {"n": left})] if left else [])]


def _note_sentence(body: Mapping[str, Any], speaker: Speaker) -> str:
    """What a note says; one that closes an alert says what the alert said, too."""
    data = body.get("data")
    data = data if isinstance(data, dict) else {}
    sentence = speaker.text(str(body.get("text") or body["topic"]), data.get("facts", {}))
    match data.get("of"):
        case {"text": str(text), "facts": dict(facts)} if text:
            return f"{speaker.text(text, facts)} {sentence}"
    return sentence


def update_json(table: OpenTable, update: Update, client: Client, speaker: Speaker) -> dict[str, Any]:
    """A record for a page: what `client` may know of it, and its sentence.

    Until the game is over the proof of a secret draw is left out for everyone, be the draw itself public by then: its
    urn tells what else somebody holds. So is from every other proof the digest of the one before: whoever tries out all
    secret draws would find it.
    """
    rules = table.session.rules
    over = rules.result(table.session.state) is not None
    data = update.for_viewer(client.seat, over=over)
    if update.event is not None and not over:
        data["cause"] = {**data["cause"], "detail": _open_detail(rules, update.event, data["cause"]["detail"])}
    sentence = speaker.prompter.update(rules, update, client.seat, over=over)
    data["followed"] = _followed(table, update, speaker)
    body = data["body"]
    if body.get("topic", Topic.CLOCK.value) != Topic.CLOCK.value:
        sentence = _note_sentence(body, speaker)
    return data | {"sentence": sentence}
