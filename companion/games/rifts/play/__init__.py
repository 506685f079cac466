"""What every event changes in a position of Rifts of N'Norya, what always holds in one, and what it scores."""
