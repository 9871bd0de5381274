"""Pages of challenges, for everybody, for participants and for hosts."""
