"""Pages for accounts, members, offers and the audit log."""
