"""The data model of Accordance, its rules, and the pages and commands for researchers."""
