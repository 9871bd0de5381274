"""Collecting judgments: arrival, assignment, pay, withdrawal and erasure."""
