"""The pages of a hall: organiser, referees, public, and the routes that tables deliver to."""

from web.hall.app import create_hall_app

__all__ = ["create_hall_app"]
