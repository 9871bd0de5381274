"""Baselines of the hosts: their captions, adding and removing them, and what the leaderboard says of them."""
