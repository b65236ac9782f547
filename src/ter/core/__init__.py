"""The contracts and the loop."""
