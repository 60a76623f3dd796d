"""Tokens of Entra ID that are exchanged for a caller's: Berth passes none to servers."""

from ...dependencies import refusing


def EntraOBOToken(scopes):  # noqa: N802 - the name servers use
    """Refuse the call that a token would be for."""
    return refusing(
        "EntraOBOToken is not available: Berth authenticates callers before they reach the server"
    )
