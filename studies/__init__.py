"""The data of Accordance, its rules, and the pages and commands of researchers."""
