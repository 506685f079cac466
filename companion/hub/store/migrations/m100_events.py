"""Events: each by its changes, which are only ever added."""

STATEMENTS = (
    """CREATE TABLE hall_events (id serial PRIMARY KEY, made_ms bigint NOT NULL)""",
    """CREATE TABLE hall_event_changes (
        event_id integer NOT NULL REFERENCES hall_events,
        number integer NOT NULL,
        at_ms bigint NOT NULL,
        by_whom text NOT NULL,
        change text NOT NULL,
        PRIMARY KEY (event_id, number)
    )""",
)
