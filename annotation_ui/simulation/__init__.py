"""A study tried out before people come: scripted raters at the real server, on a copy that is thrown away."""
