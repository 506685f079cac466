"""Learning a box of one's own from the camera: the eyes, the course on disk, the box that comes of it."""
