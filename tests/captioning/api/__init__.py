"""Tests of the contract of captioners."""
