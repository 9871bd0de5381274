"""Comments of members, notifications of what happens in a study, and the feed of all of it."""
