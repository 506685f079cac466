"""Which colour a piece has: by light, size, neighbours and print together."""
