"""How a run is started: one call, or ask and tell."""
