"""Files and cached values that several servers and workers share, if the operator has named where they are."""
