"""Types and protocols that every part shares; knows no game and no device."""
