"""What the public's delay, referee calls and reviews of scores are kept in.

Every status that a table sends passes into `hall_past` by itself while there is a delay, whichever process takes it in;
what no delay needs any more is taken out at the same time.
"""

STATEMENTS = (
    """CREATE TABLE hall_past (
        id bigserial PRIMARY KEY,
        table_id integer NOT NULL REFERENCES hall_tables,
        received_ms bigint NOT NULL,
        status text NOT NULL
    )""",
    """CREATE INDEX hall_past_table ON hall_past (table_id, received_ms)""",
    """CREATE FUNCTION hall_delay_ms() RETURNS bigint STABLE LANGUAGE sql AS $$
        SELECT coalesce((SELECT value::bigint FROM hall_meta WHERE key = 'delay_s'), 0) * 1000
    $$""",
    """CREATE FUNCTION hall_keep_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM hall_past WHERE table_id = NEW.table_id AND received_ms < (
            SELECT max(received_ms) FROM hall_past
            WHERE table_id = NEW.table_id AND received_ms <= NEW.received_ms - hall_delay_ms());
        IF hall_delay_ms() > 0 THEN
            INSERT INTO hall_past (table_id, received_ms, status)
            VALUES (NEW.table_id, NEW.received_ms, NEW.status);
        END IF;
        RETURN NULL;
    END $$""",
    """CREATE TRIGGER hall_keep_status AFTER INSERT OR UPDATE OF status ON hall_statuses
        FOR EACH ROW EXECUTE FUNCTION hall_keep_status()""",
    """CREATE TABLE hall_reviews (
        table_id integer PRIMARY KEY REFERENCES hall_tables,
        since_ms bigint NOT NULL,
        person text NOT NULL,
        why text NOT NULL,
        shown_ms bigint,
        shown text
    )""",
    """CREATE TABLE hall_calls (
        id bigserial PRIMARY KEY,
        table_id integer NOT NULL REFERENCES hall_tables,
        key text NOT NULL,
        who text NOT NULL,
        made_ms bigint NOT NULL,
        person_id integer REFERENCES hall_staff,
        person text NOT NULL DEFAULT '',
        taken_ms bigint,
        done_ms bigint,
        UNIQUE (table_id, key)
    )""",
    """CREATE INDEX hall_calls_open ON hall_calls (table_id) WHERE done_ms IS NULL""",
)
