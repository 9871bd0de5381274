"""Tests in the same tree as the source; `e2e` drives browsers, `architecture` reads code, `plugins` are installed."""
