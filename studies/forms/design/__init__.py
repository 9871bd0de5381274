"""Forms for the design of a study, its preregistration and clones."""
