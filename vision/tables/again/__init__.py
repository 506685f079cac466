"""A view that was read before: what has changed since, and what is read again."""
