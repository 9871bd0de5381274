"""Withdrawal, erasure, data subject requests, and rotation of keys for personal data."""
