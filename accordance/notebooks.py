"""`accordance notebooks FOLDER`: copy the notebooks of the documentation with their data."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

NOTEBOOKS: Final = ("researcher.ipynb", "metric-author.ipynb", "captioner.ipynb")
"""Those that need no server."""
_DATA: Final = "data"
_USAGE_EXIT: Final = 2
_PACKAGE: Final = Path(__file__).resolve().parent


def main(arguments: Sequence[str]) -> int:
    """Copy the notebooks and print their paths; return 0, or 2 if the folder cannot be used."""
    parser = argparse.ArgumentParser(
        prog="accordance notebooks", description="Copy the notebooks of the documentation, with their data."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to copy them; made if it does not exist")
    folder = parser.parse_args(arguments).folder
    try:
        copy_notebooks(folder)
    except FileExistsError as error:
        sys.stderr.write(f"error: {error.filename} exists, and nothing is overwritten: name another folder\n")
        return _USAGE_EXIT
    except OSError as error:
        # Errors of several files together have neither.
        sys.stderr.write(f"error: {error.filename}: {error.strerror}\n" if error.strerror else f"error: {error}\n")
        return _USAGE_EXIT
    sys.stdout.writelines(f"{folder / name}\n" for name in NOTEBOOKS)
    return 0


def copy_notebooks(folder: Path) -> None:
    """Copy the notebooks and their folder of data into a folder, which is made if it does not exist.

    Raises:
        FileExistsError: The folder has a file of the same name, so that nothing was copied, or is a file itself.
        OSError: The files cannot be read or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*NOTEBOOKS, _DATA):
        if (folder / name).exists():
            raise FileExistsError(None, "exists", str(folder / name))
    source = _find_documentation()
    with TemporaryDirectory(dir=folder, prefix=".notebooks-") as unfinished:
        copied = Path(unfinished)
        shutil.copytree(source / _DATA, copied / _DATA, ignore=shutil.ignore_patterns("__pycache__"))
        for name in NOTEBOOKS:
            shutil.copyfile(source / name, copied / name)
        for name in (_DATA, *NOTEBOOKS):
            (copied / name).rename(folder / name)


def _find_documentation() -> Path:
    """Return the folder of the documentation: in an installed package, or beside the package in a checkout."""
    installed = _PACKAGE / "docs"
    return installed if installed.is_dir() else _PACKAGE.parent / "docs"
