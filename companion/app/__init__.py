"""The composition root: settings, wiring and the companion command."""
