"""The preregistration of a study: what is declared before the first judgment, and deviations from it."""
