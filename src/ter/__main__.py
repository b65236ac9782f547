"""``python -m ter``: the command line."""

import sys

from ter.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
