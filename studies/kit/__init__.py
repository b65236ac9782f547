"""What the studies share: runs as rows of a file, numbers beside published ones, and tables inside pages."""
