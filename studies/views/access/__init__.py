"""Accounts, members, offers, what was changed by whom."""
