"""Settings of Sphinx."""

import ter

project = "ter"
author = "the authors of ter"
release = ter.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"ter {release}"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say more than the signatures
numpydoc_show_class_members = False
