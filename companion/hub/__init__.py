"""The hub of a hall: what many tables deliver is kept in PostgreSQL and shown; rules come handed in, devices never.

Rooms: `store/` is the database (connection, numbered migrations, what is kept), `delivery/` how records come in exactly
once and in order, `events/` players, pairing and standings, `live/` how screens hear of what is new. `hall.py` is the
one value that pages are given.
docs/reference/hall.md says how a migration, a page and a live notice are added.
"""
