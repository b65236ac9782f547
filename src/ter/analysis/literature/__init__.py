"""Published results of TER's paper and of the field, as reference data. The numbers come with the package."""

from __future__ import annotations

from ter.analysis.literature.paper import PrintedTest, paper_similarity, paper_similarity_to_best, paper_tests
from ter.analysis.literature.results import (
    Published,
    PublishedResult,
    published,
    published_names,
    published_table,
)

__all__ = [
    "PrintedTest",
    "Published",
    "PublishedResult",
    "paper_similarity",
    "paper_similarity_to_best",
    "paper_tests",
    "published",
    "published_names",
    "published_table",
]
