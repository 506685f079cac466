"""The dashboard: Flask pages, a JSON API and server-sent events over one companion's ports."""

from web.app import create_app

__all__ = ["create_app"]
