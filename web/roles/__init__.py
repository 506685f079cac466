"""Who may do what: roles and their tokens, limits of requests, the gate of every request."""
