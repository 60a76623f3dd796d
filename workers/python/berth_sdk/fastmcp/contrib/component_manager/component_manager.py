"""Addresses at which parts of a server are shown and hidden."""


def set_up_component_manager(server, path="/", required_scopes=None):
    """Accept routes of the SDK's own HTTP server; they are never called here."""
