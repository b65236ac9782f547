"""Backends that evaluate batches elsewhere."""
