"""What the hub keeps: a PostgreSQL database, its migrations and its notices."""
