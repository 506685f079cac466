"""Files of the companion on this machine: paths, settings, bundles, tally pictures."""
