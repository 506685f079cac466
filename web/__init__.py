"""The dashboard: pages, streams and the JSON API."""
