"""Adds to what is built what an installation needs from outside the packages; everything else is in pyproject.toml.

These are the versions that were tested, which `accordance constraints` finds, and the documentation with its notebooks
and its tables of contents, which are in README.md.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_FILES, _DOCS = ("constraints.txt", "README.md"), "docs"


class BuildWithFiles(build_py):
    """Copies the files into the package `accordance`; an editable installation reads those of the checkout."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "accordance")
            for name in _FILES:
                shutil.copyfile(name, target / name)
            unwanted = shutil.ignore_patterns("__pycache__", ".*")
            shutil.copytree(_DOCS, target / _DOCS, dirs_exist_ok=True, ignore=unwanted)


setup(cmdclass={"build_py": BuildWithFiles})
