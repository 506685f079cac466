"""What one piece looks like: its light by zones and rings, and its print."""
