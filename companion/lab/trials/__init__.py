"""What the benches run: timed games, killed recorders, shaken pictures, the dashboard under load."""
