"""What the pages need from the rest of the companion, handed in: tables, devices, enrolment, upkeep, a hall."""
