"""Providers of sign-in, of which Berth asks none."""
