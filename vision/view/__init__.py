"""Whether a picture counts: hands, motion and changes of light."""
