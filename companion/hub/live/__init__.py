"""What screens are told while it happens: notices of the database, and the newest status of every table."""
