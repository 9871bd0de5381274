"""Pages of hosts."""
