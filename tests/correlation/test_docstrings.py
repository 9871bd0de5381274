"""Tests of the examples in the docstrings of the package."""

import doctest
import importlib
import pkgutil

import pytest

import correlation

MODULES = sorted(module.name for module in pkgutil.walk_packages(correlation.__path__, "correlation."))


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_the_docstring_says(name):
    result = doctest.testmod(importlib.import_module(name))

    assert result.failed == 0
