"""The design of a study, its preregistration, its state, copies of it."""
