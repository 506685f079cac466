"""The public's delay is the hall's own or that of the events that are played, whichever is longer."""

STATEMENTS = (
    """CREATE OR REPLACE FUNCTION hall_delay_ms() RETURNS bigint STABLE LANGUAGE sql AS $$
        SELECT coalesce(max(value::bigint), 0) * 1000 FROM hall_meta WHERE key IN ('delay_s', 'event_delay_s')
    $$""",
)
"""The keys are those of `companion.hub.live.showing`."""
