"""The search path of modules where a package is run by `python -m`."""

import os
import sys
from pathlib import Path


def leave_out_working_folder(*, package_file: str) -> None:
    """Take the working folder, which `python -m` puts first, off the search path, as a command of its own has it.

    Otherwise a file of the working folder is imported in place of the module or the installed plugin of its name.

    Args:
        package_file: A file of the package that is run. Where the working folder holds the package, it is kept.
    """
    is_added = not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]  # noqa: PTH109 - compared as it is
    if is_added and Path(package_file).resolve().parents[1] != Path.cwd().resolve():
        del sys.path[0]
