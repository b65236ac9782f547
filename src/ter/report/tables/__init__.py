"""The tables of a report, one kind per module."""

from __future__ import annotations

from ter.report.tables.sections import brief_tables, sections_of, tables_of

__all__ = ["brief_tables", "sections_of", "tables_of"]
