"""The colours of a box's pieces, learnt from pictures of them in columns, and the file of these."""
