"""Overlays for streams: one address per element of the table, as late as the settings say."""
