"""Serializers of the API, one file per subject."""
