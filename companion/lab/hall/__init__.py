"""A simulated hall: real sessions, senders, hub and PostgreSQL, each in its processes; links that fail; screens."""
