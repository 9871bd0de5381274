"""Tests mirror the source path for path; `e2e` drives browsers, `architecture` reads the code, `plugins` are real."""
