"""The colours of pieces: learnt from pictures of them, and kept in files."""
