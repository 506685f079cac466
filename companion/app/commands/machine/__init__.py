"""The button box and the machine that the companion runs on."""
