"""The pages of events: the organiser's, a player's own, the public's. An event itself is `companion/hub/events/`."""

from web.hall.events.rooms import blueprint

__all__ = ["blueprint"]
