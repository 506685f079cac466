"""Serves a hall's hub: its pages by the dashboard's server, its live stream without a thread for every screen."""
