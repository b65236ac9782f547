"""How values come about for each kind of objective."""
