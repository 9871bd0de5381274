"""Access control: members, tokens, limits, and the audit log."""
