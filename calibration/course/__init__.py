"""Learning a box piece by piece: what was laid before the camera, what is known of it, and what is still missing."""
