"""Whether a firmware keeps to PROTOCOL.md: checks that speak to it over a line and move its contacts."""
