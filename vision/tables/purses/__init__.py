"""The money before each player: coins side by side, counted, and followed as they come and go."""
