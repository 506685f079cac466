"""The table of API routes, from which the addresses, the checks of bodies and the OpenAPI document are all made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from web.errors import ERROR_SCHEMA
from web.schema import Schema, one_of, record, rows, text, whole

SEAT = text(1, 1, "^[A-E]$")
AS = text(8, 1, "^([A-E]|referee)$")
KEY = text(64, 8, "^[A-Za-z0-9-]+$")
NUMBER = whole(0, 10**9)
FACE = text(80, 1)
TELL = {"as": AS, "expected": NUMBER, "key": KEY}
PIECES = record({"colour": text(30, 1), "count": whole(0, 99)})
LYING = record({"slot": text(20, 1), "face": text(80), "pieces": rows(PIECES, 10)})
HOW = one_of("phrase", "dice", "random")
BAG_STEPS = ("commit", "add", "promise", "close", "open", "withhold", "seal", "reveal")


@dataclass(frozen=True, slots=True)
class Route:
    """One operation: `call` is the method of the API that does it; `body` its schema, or "jpeg" or "zip" for a file."""

    method: str
    path: str
    call: str
    summary: str
    who: str = "anyone"
    body: Schema | str | None = None
    query: tuple[tuple[str, Schema], ...] = ()
    answers: str = "application/json"


_AS = ("as", AS)

ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/openapi.json", "openapi", "This document"),
    Route("GET", "/api/state", "state", "The table as the client may see it", "client", query=(_AS,)),
    Route("GET", "/api/stream", "stream", "Server-sent events: state, record, devices", "client", query=(_AS,),
          answers="text/event-stream"),
    Route("GET", "/api/devices", "devices", "How camera, box and bag are"),
    Route("GET", "/api/records", "records", "What happened after a record", "client", query=(_AS, ("after", NUMBER))),
    Route("GET", "/api/records/<int:number>", "record_state", "The table after a record", "client", query=(_AS,)),
    Route("GET", "/api/records/<int:number>/picture", "evidence", "The picture kept for a record", "referee",
          answers="image/jpeg"),
    Route("GET", "/api/charts", "charts", "Figures of the game so far"),
    Route("POST", "/api/film", "film", "Hold the demo's film, go on with it, or play it again", "referee",
          record({"as": AS, "do": one_of("hold", "go", "again")})),
    Route("GET", "/api/art/<name>", "art", "A face of the film or of the own box, as printed", answers="image/jpeg"),
    Route("GET", "/api/overlay", "overlay_state", "The table for a stream, as late as overlay_delay_s says"),
    Route("GET", "/api/overlay/stream", "overlay_stream", "Server-sent events of the same, just as late",
          answers="text/event-stream"),
    Route("GET", "/api/history", "history", "Who played what, who won, how each player has done"),
    Route("POST", "/api/again", "again", "Begin the same game with the same players once more", "referee",
          record({"as": AS})),
    Route("GET", "/api/clauses", "clauses", "The rules of the game, clause by clause"),
    Route("GET", "/api/clauses/<name>", "clause", "A clause of the rules"),
    Route("GET", "/api/words", "words", "Texts of the scripts in the client's language"),
    Route("GET", "/api/games", "games", "Games, their options, colours and catalogues"),
    Route("GET", "/api/games/<name>/faces", "faces", "The faces of a game's own catalogue"),
    Route("GET", "/api/sessions", "sessions", "All sessions", "referee"),
    Route("GET", "/api/seats", "seats", "The codes by which phones join, and who has joined", "referee"),
    Route("GET", "/api/seats/open", "open_seats", "The codes of the seats that nobody has taken, for the big screen"),
    Route("GET", "/api/addresses", "addresses", "Where the shared pages are, with codes to scan"),
    Route("POST", "/api/seats/code", "seat_code", "Withdraw a seat's code, or make it anew", "seat, referee",
          record({"as": AS, "seat": SEAT, "do": one_of("withdraw", "renew")})),
    Route("GET", "/api/export", "export", "The whole record as an export", "anyone, once the game is over",
          answers="application/x-ndjson"),
    Route("GET", "/api/undo", "undo_plan", "What an undo would mean", "client", query=(_AS, ("to", NUMBER))),
    Route("GET", "/api/camera/picture", "camera_picture", "The newest picture", "referee",
          query=(("overlay", one_of("0", "1")),), answers="image/jpeg"),
    Route("POST", "/api/login", "login", "Become the referee", body=record({"pin": text(40, 1)})),
    Route("POST", "/api/logout", "logout", "Forget every role of this browser", body=record({})),
    Route("POST", "/api/join", "join", "Take a seat", body=record({"seat": SEAT, "token": text(128, 1)})),
    Route("POST", "/api/pin", "change_pin", "Another PIN for the referee", "referee",
          record({"as": AS, "pin": text(40, 1)})),
    Route("POST", "/api/play", "play", "Tell what happened", "seat, referee",
          record({**TELL, "texts": rows(text(200, 1), 8, 1)})),
    Route("POST", "/api/draw", "draw", "Let the digital bag draw", "referee", record(TELL)),
    Route("POST", "/api/undo", "undo", "Take back", "seat, referee",
          record(TELL, {"to": NUMBER, "consents": rows(SEAT, 5)})),
    Route("POST", "/api/undo/ask", "ask_undo", "Ask everybody to agree to take back; at once where nobody must",
          "seat, referee", record(TELL, {"to": NUMBER})),
    Route("POST", "/api/draw/correct", "correct_draw", "Ask everybody to agree that another face was drawn to a place",
          "referee", record({**TELL, "slot": text(20, 1), "face": FACE})),
    Route("GET", "/api/lies", "lies", "What lies on the table by the record, and by the camera", "referee"),
    Route("POST", "/api/overrule", "overrule", "Ask everybody to accept the table as it lies", "referee",
          record({**TELL, "why": text(300, 1, r"\S"), "slots": rows(LYING, 60)})),
    Route("POST", "/api/overrule/agree", "agree", "Agree for a seat", "seat, referee",
          record({"as": AS}, {"seats": rows(SEAT, 5)})),
    Route("POST", "/api/overrule/disagree", "disagree", "Nothing is changed", "seat, referee", record({"as": AS})),
    Route("POST", "/api/note", "note", "Pause, resume, dispute, count, remark, clocks", "referee; pause: seat, too",
          record({"as": AS, "key": KEY, "topic": one_of("pause", "resume", "dispute", "count", "remark", "clock")},
                 {"text": text(500)})),
    Route("POST", "/api/alerts/close", "close_alert", "An alert was dealt with", "referee",
          record({"as": AS, "key": KEY, "id": text(80, 1)})),
    Route("POST", "/api/hall/call", "hall_call", "Call a referee of the hall, or need none any more", "seat, referee",
          record({"as": AS, "do": one_of("call", "withdraw")})),
    Route("POST", "/api/bag", "bag", "A step of the digital bag", "seat, referee",
          record({"as": AS, "step": one_of(*BAG_STEPS)},
                 {"seat": SEAT, "how": HOW, "value": text(200, 1), "promise": text(64, 64, "^[0-9a-f]+$"),
                  "salt": text(128, 16, "^[0-9a-f]+$")})),
    Route("POST", "/api/bag/automatic", "automatic", "Draw by itself as soon as a draw is due", "referee",
          record({"as": AS, "on": {"type": "boolean"}})),
    Route("POST", "/api/camera/answer", "camera_answer", "Answer the camera's question",
          "referee; seat: of its own act", record({"as": AS, "choice": whole(0, 99), "texts": rows(text(200, 1), 8)})),
    Route("POST", "/api/camera/go-on", "go_on", "Record what was seen while boards were unread, and go on",
          "seat, referee", record({"as": AS})),
    Route("POST", "/api/camera/frame", "camera_frame", "A picture from a phone", "referee", "jpeg",
          query=(("phone", text(40)), ("take", one_of("0", "1")))),
    Route("GET", "/api/setup/box", "box_look", "The button box, and how the walk round it stands", "referee"),
    Route("POST", "/api/setup/box/walk", "box_walk", "Begin, answer or end the walk round the button box", "referee",
          record({"as": AS, "do": one_of("begin", "right", "wrong", "skip", "end")},
                 {"stations": whole(1, 4), "at": whole(0, 99)})),
    Route("POST", "/api/setup/box/name", "box_name", "Name the button box", "referee",
          record({"as": AS, "name": text(40)})),
    Route("POST", "/api/box/touch", "box_touch", "Touch an input of the virtual box", "referee",
          record({"as": AS, "input": text(12, 1, "^(confirm|shield)-[1-4]$|^referee$")},
                 {"press": {"type": "boolean"}})),
    Route("POST", "/api/box/fault", "box_fault", "A fault of the virtual box", "referee",
          record({"as": AS, "command": text(60, 1)})),
    Route("POST", "/api/tally", "tally", "Read a picture of captured tiles", "referee", "jpeg"),
    Route("POST", "/api/score", "score", "Score captured faces of each player",
          body=record({"game": text(40, 1), "players": rows(rows(FACE, 60), 5, 1)})),
    Route("GET", "/api/setup", "setup_steps", "Devices and calibration: what can be chosen, how each step stands",
          "referee", query=(("game", text(40, 1)),)),
    Route("POST", "/api/setup/choose", "setup_choose", "Use another camera, box or tiles", "referee",
          record({"as": AS, "which": one_of("camera", "box", "tiles"), "source": text(400)})),
    Route("GET", "/api/enrol", "enrol_read", "How far the learning of a box is", "referee",
          query=(("game", text(40, 1)),)),
    Route("GET", "/api/enrol/look", "enrol_look", "The loose pieces before the camera", "referee",
          query=(("game", text(40, 1)),)),
    Route("GET", "/api/enrol/pieces/<int:number>", "enrol_picture", "The picture of a piece", "referee",
          query=(("game", text(40, 1)), ("part", whole(0, 15))), answers="image/png"),
    Route("POST", "/api/enrol", "enrol_do", "Take pieces, say what they are, keep them, make a box of them", "referee",
          record({"as": AS, "game": text(40, 1),
                  "do": one_of("take", "tell", "say", "keep", "turn", "drop", "again", "anew", "save")},
                 {"piece": NUMBER, "of": NUMBER, "quarters": whole(1, 3), "title": text(60, 1, r"\S"),
                  "numbers": rows(record({"key": text(40, 1), "value": whole(0, 999)}), 60),
                  "answers": rows(record({"piece": NUMBER, "key": text(40, 1), "value": text(120)}), 250)})),
    Route("GET", "/api/boxes/<name>", "box_file", "The file of a learnt box", "referee", answers="application/zip"),
    Route("POST", "/api/boxes", "box_load", "Take a box file that was made elsewhere", "referee", "zip",
          query=(("name", text(80)), ("game", text(40)))),
    Route("GET", "/api/lens", "lens_look", "How the measuring of the lens stands; the newest picture is taken in",
          "referee"),
    Route("POST", "/api/lens", "lens_do", "Collect views of the board, measure the lens by them, or end", "referee",
          record({"as": AS, "do": one_of("begin", "finish", "end")})),
    Route("GET", "/api/sheets", "sheets", "The markers and the board for the lens, to print", "referee",
          query=(("paper", one_of("a4", "letter")),), answers="application/pdf"),
    Route("GET", "/api/doctor", "doctor_look", "All that may be wrong, each with what mends it", "referee"),
    Route("GET", "/api/doctor/report", "doctor_report", "The same as a file without secrets", "referee"),
    Route("GET", "/api/backup", "backup_make", "Everything in one file", "referee", answers="application/zip"),
    Route("POST", "/api/backup", "backup_take", "A part of a backup that is handed in", "referee", "zip",
          query=(("at", whole(0, 2**40)),)),
    Route("POST", "/api/restore", "backup_do", "Try the backup that was handed in, put it in place, or forget it",
          "referee", record({"as": AS, "do": one_of("try", "restore", "forget")})),
    Route("POST", "/api/machine/off", "shut_down", "Switch this machine off, where that is set", "referee",
          record({"as": AS})),
    Route("POST", "/api/setup/learn", "setup_learn", "Remember the table or learn colours from the newest picture",
          "referee",
          record({"as": AS, "what": one_of("table", "colours"), "game": text(40, 1)},
                 {"group": whole(0, 9), "piece": whole(0, 39)})),
    Route("POST", "/api/begin", "begin", "Begin a game", "referee",
          record({"as": AS, "game": text(40, 1),
                  "seats": rows(record({"name": text(60, 1), "colour": text(30, 1)}), 5, 1)},
                 {"options": rows(record({"key": text(40, 1), "value": text(40, 1)}), 20), "catalogue": text(60),
                  "draws": one_of("physical", "digital"), "first": SEAT})),
    Route("POST", "/api/resume", "resume", "Go on with a session", "referee",
          record({"as": AS, "session": text(100, 1)})),
)

MEDIA = {"jpeg": "image/jpeg", "zip": "application/octet-stream"}
ERROR_STATUSES = ("400", "401", "403", "404", "405", "409", "413", "415", "429", "500", "503")


def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document of `ROUTES`."""
    paths: dict[str, Any] = {}
    for route in ROUTES:
        address = route.path.replace("<int:number>", "{number}").replace("<name>", "{name}")
        paths.setdefault(address, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tabletop companion", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Error": ERROR_SCHEMA}},
    }


def _operation(route: Route) -> dict[str, Any]:
    parameters = [{"name": n, "in": "query", "required": False, "schema": s} for n, s in route.query]
    if "<int:number>" in route.path:
        parameters.append({"name": "number", "in": "path", "required": True, "schema": whole(0, 10**9)})
    if "<name>" in route.path:
        parameters.append({"name": "name", "in": "path", "required": True, "schema": text(60, 1)})
    error = {"$ref": "#/components/schemas/Error"}
    answer: dict[str, Any] = {"type": "object"} if route.answers == "application/json" else {"type": "string"}
    operation: dict[str, Any] = {
        "operationId": route.call,
        "summary": route.summary,
        "description": f"For: {route.who}.",
        "parameters": parameters,
        "responses": {
            "200": {"description": "Done", "content": {route.answers: {"schema": answer}}},
            **{
                status: {"description": "Refused", "content": {"application/json": {"schema": error}}}
                for status in ERROR_STATUSES
            },
        },
    }
    if isinstance(route.body, str):
        schema = {"type": "string", "format": "binary"}
        operation["requestBody"] = {"required": True, "content": {MEDIA[route.body]: {"schema": schema}}}
    elif route.body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": route.body}}}
    return operation
