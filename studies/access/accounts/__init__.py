"""Accounts of researchers: log-in and its limits, sessions, second factor, single sign-on."""
