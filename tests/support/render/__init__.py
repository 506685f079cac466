"""A small renderer of tabletop pictures with exact truth: perspective, lens, light and noise, no path tracing."""
