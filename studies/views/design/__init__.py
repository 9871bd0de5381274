"""Pages for the design of a study, its preregistration, its state and clones."""
