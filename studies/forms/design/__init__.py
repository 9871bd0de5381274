"""The design of a study, its preregistration, copies of it."""
