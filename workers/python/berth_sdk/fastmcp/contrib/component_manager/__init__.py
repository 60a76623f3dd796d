"""Showing and hiding parts of a server while it runs."""

from .component_manager import set_up_component_manager
from .component_service import ComponentService

__all__ = ["ComponentService", "set_up_component_manager"]
