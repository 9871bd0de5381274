"""Planning: how large a study must be, what a pilot says, when a study may stop."""
