"""The machine that the companion runs on: what is wrong with it, its service, its threads and memory."""
