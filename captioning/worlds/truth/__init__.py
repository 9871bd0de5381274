"""The truth of captions in worlds: scenes as bit sets, counts, selected entities, and published profiles."""
