"""What people and the camera at a table of Rifts of N'Norya are shown, told and asked, and how a position is stored."""
