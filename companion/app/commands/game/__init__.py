"""A game at the table and its rules to read: play, new, status, serve, rules, score, sample."""
