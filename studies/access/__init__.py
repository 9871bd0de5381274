"""Who may do what: members, tokens, limits, and the audit log."""
