"""Scripts for maintainers that rebuild data files of the project; no part of the package needs them."""
