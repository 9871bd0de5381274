"""The metrics of caption sets: how different their captions are, and how good together."""
