"""Learning a box of one's own on a page: its port, and the routes."""
