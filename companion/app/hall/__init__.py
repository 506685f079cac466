"""A table's part in a hall: its join file, and the thread that delivers its records."""
