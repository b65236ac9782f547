"""What is on disk of a run: the journal, the manifest, the snapshots; how they are written and read. Nothing runs here.

See ``docs/checkpoints.md`` for the format and for what is promised about it.
"""
