"""`python -m captioning`: commands for worlds with captions of known truth."""

import sys

from captioning.cli import main

if __name__ == "__main__":
    sys.exit(main())
