"""The tables of a report, one kind per module."""

from __future__ import annotations

from ter.report.tables.all import tables_of

__all__ = ["tables_of"]
