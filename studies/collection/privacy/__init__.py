"""Withdrawal, erasure, requests of persons, and new keys for personal data."""
