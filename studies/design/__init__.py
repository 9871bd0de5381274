"""Designs and their versions, presets, planning, preregistration, cloning."""
