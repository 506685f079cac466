"""Printable sheets, lens, table pose, colours and the enrolment of a box."""
