"""Tests of the API for members, tokens and notifications."""
