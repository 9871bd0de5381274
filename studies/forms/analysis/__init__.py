"""What addresses of the explorer and of other pages of results say; planning."""
