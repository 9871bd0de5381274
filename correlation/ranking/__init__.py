"""Which captioning systems people prefer: means, shares of wins and strengths, with intervals, tests and letters."""
