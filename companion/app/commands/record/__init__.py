"""The record of a session: replayed, verified, bundled, backed up, its draws checked."""
