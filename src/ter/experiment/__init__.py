"""Experiments: a plan, its runs, and the store that keeps them."""
