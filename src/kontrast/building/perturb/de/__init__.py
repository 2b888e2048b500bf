"""The errors for German, one file each."""
