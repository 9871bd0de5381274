"""Tests of installing what metrics need."""
