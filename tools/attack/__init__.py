"""Attacks on the promises of the package: each campaign tries many times, and reports what came out."""
