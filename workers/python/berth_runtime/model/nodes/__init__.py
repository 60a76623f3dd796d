"""Nodes: what validates, converts and describes values of one type."""
