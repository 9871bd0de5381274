"""Submissions: receiving files, validating and scoring them."""
