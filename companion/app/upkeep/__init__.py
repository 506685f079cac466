"""Keeping the machine in order, for the pages: measuring the lens, what is wrong, backup and restore, shutting down."""
