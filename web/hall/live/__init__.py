"""What is seen while it happens: overview, tables as spectators see them, overlays, big screen, calls, people."""
