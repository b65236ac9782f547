"""The benchmark suites of the field: the CEC competitions of 2008, 2010 and 2013. Nothing is compiled on import."""

from __future__ import annotations

from ter.benchmarks.catalogue import FUNCTIONS, SUITES, Function, Suite, suite

__all__ = ["FUNCTIONS", "SUITES", "Function", "Suite", "suite"]
