"""Hosting: making challenges from plans, and the actions of hosts, each with a reason that is shown."""
