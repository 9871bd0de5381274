"""Runs the examples of a page: all its blocks of Python, in order, as one session."""

import doctest
import re


def run_examples(page: str, *, name: str) -> doctest.TestResults:
    """How many examples of the page were tried and how many failed; what failed is printed."""
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    return doctest.DocTestRunner().run(test)
