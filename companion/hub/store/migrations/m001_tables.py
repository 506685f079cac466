"""The hall's own secrets and people, its tables, what they deliver and how they stand now."""

STATEMENTS = (
    """CREATE TABLE hall_meta (key text PRIMARY KEY, value text NOT NULL)""",
    """CREATE TABLE hall_staff (
        id serial PRIMARY KEY,
        name text NOT NULL,
        role text NOT NULL CHECK (role IN ('organiser', 'referee')),
        pin_hash text NOT NULL,
        serial integer NOT NULL DEFAULT 1,
        revoked_ms bigint
    )""",
    """CREATE TABLE hall_tables (
        id serial PRIMARY KEY,
        name text NOT NULL UNIQUE,
        made_ms bigint NOT NULL,
        code_hash text,
        code_until_ms bigint,
        key_hash text,
        joined_ms bigint,
        seen_ms bigint,
        machine text NOT NULL DEFAULT ''
    )""",
    """CREATE TABLE hall_sessions (
        id bigserial PRIMARY KEY,
        table_id integer NOT NULL REFERENCES hall_tables,
        session text NOT NULL,
        origin text NOT NULL,
        header text NOT NULL,
        made_ms bigint NOT NULL,
        number integer NOT NULL DEFAULT 0,
        link text NOT NULL,
        opened integer NOT NULL DEFAULT 0,
        opened_hash text NOT NULL,
        over boolean NOT NULL DEFAULT false,
        changed_ms bigint NOT NULL,
        fork_ms bigint,
        fork text NOT NULL DEFAULT '',
        put_aside_ms bigint
    )""",
    """CREATE UNIQUE INDEX hall_sessions_origin ON hall_sessions (origin) WHERE put_aside_ms IS NULL""",
    """CREATE INDEX hall_sessions_table ON hall_sessions (table_id)""",
    """CREATE TABLE hall_records (
        session_id bigint NOT NULL REFERENCES hall_sessions,
        number integer NOT NULL,
        commitment text NOT NULL,
        told text NOT NULL,
        salt text,
        line text,
        arrived_ms bigint NOT NULL,
        PRIMARY KEY (session_id, number)
    )""",
    """CREATE TABLE hall_statuses (
        table_id integer PRIMARY KEY REFERENCES hall_tables,
        session text NOT NULL,
        number integer NOT NULL,
        status text NOT NULL,
        received_ms bigint NOT NULL
    )""",
)
