"""Runs with a checkpoint that are killed, damaged and starved: each must go on as if nothing was, or refuse."""
