"""Speed, memory and quality of ``ter`` beside other libraries; run with ``python -m bench``."""
