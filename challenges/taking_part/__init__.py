"""Taking part: terms, teams and the limits of submissions."""
