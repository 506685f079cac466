"""Links beside the commitments, so that the past of a table is compared at any number; the order of statuses."""

STATEMENTS = (
    """ALTER TABLE hall_records ADD COLUMN link text NOT NULL DEFAULT ''""",
    """ALTER TABLE hall_statuses ADD COLUMN turn bigint NOT NULL DEFAULT 0""",
)
