"""What the rules of a game are written with: catalogues and positions read, events as text, what all rules share."""
