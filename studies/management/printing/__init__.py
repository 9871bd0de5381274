"""What commands print, one file a subject."""
