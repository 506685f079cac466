"""Files of the companion on this machine: paths, settings, the state folder, bundles, backups."""
