"""`python -m accordance`: the command `accordance`."""

import sys

from accordance.cli import main
from execution.search_path import leave_out_working_folder

if __name__ == "__main__":
    leave_out_working_folder(package_file=__file__)
    sys.exit(main())
