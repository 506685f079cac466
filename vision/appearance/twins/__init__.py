"""Faces that differ in little, told apart once the light of the picture is known."""
