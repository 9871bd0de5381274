"""`python -m captioning`: worlds in which truth is known."""

import sys

from captioning.cli import main

if __name__ == "__main__":
    sys.exit(main())
