"""French errors, one file each."""
