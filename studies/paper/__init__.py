"""The paper's experiments: plans, runs, and the page that sets them beside the paper's numbers."""
