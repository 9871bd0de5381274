"""The output of commands as text, one file per subject."""
