"""What every event changes in a position of Envyra, what always holds in one, and what it scores."""
