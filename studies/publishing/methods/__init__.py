"""What a paper must say of how its numbers came about, written from what the system knows."""
