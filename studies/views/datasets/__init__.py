"""Pages for studies created from uploaded files, and for images."""
