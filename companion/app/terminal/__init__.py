"""The referee in the terminal, and states as plain text."""
