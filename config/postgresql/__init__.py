"""PostgreSQL as Django knows it, with a check of idle connections that asks the server nothing."""
