"""Keeping the machine in order on pages: the lens, what is wrong, backups."""
