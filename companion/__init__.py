"""A companion for tabletop games on a real table: rules, record, draws and commands."""
