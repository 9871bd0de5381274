"""The views of the API, one file per subject."""
