"""Human studies of the entries of a phase, and their results as columns of its leaderboard."""
