"""The kinds of notices that screens hear of, beside how the tables stand; a page then asks for what it shows."""

from __future__ import annotations

NEWS: dict[str, bool] = {"tables": False, "calls": False}
"""Kind of notice (`companion.hub.store.database.notify`) -> whether the public hears of it. A notice's own facts are
sent as they are: for a public kind they hold nothing that is not public. A new kind is one line here."""
