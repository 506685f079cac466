"""Everything that is installed with the companion says under which licence it may be used."""

from __future__ import annotations

from companion.app.commands.machine.licences import OWN, installed


def test_every_needed_package_is_listed_with_a_licence() -> None:
    rows = {name: licence for name, _, licence in installed()}
    assert rows[OWN] == "MIT"
    assert {"flask", "itsdangerous", "jinja2", "numpy", "sqlalchemy", "werkzeug"} <= rows.keys()
    assert all(licence != "not stated" for licence in rows.values()), rows
