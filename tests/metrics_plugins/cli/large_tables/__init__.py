"""Tests of `score --output`, run as a user does."""
