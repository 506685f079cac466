"""What people and the camera at a table of Spyrium are shown, told and asked, and how a position is stored."""
