"""What the preregistration means for results: the declared interval and test, and deviations in what is used."""
