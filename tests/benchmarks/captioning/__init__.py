"""Tests of the reports on captioners."""
