"""The views of the API, one file a subject."""
