"""What people and the camera at a table of Envyra are shown, told and asked, and how a position is stored."""
