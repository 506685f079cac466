"""What every event changes in a position of Spyrium, what always holds in one, and what it scores."""
