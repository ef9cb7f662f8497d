"""The component API that people's Python code meets inside a worker."""
