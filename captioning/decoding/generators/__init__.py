"""Generators of diverse captions, which Wang, Wan and Chan (2022), section 5.2, compare."""
