"""Whether captions are true of worlds: scenes as bit sets, counts, chosen entities, published profiles."""
