"""What is printed on a face, whichever field it tells: its ground, parts, figures and icons."""
