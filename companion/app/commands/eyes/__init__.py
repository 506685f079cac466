"""What the camera needs and sees: calibration, enrolment, reading, naming and counting."""
