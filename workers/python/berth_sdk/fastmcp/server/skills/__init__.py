"""Skills: folders with instructions for agents, offered as resources."""

from .directory_provider import (
    ClaudeSkillsProvider,
    CodexSkillsProvider,
    CopilotSkillsProvider,
    CursorSkillsProvider,
    GeminiSkillsProvider,
    GooseSkillsProvider,
    OpenCodeSkillsProvider,
    SkillsDirectoryProvider,
    VSCodeSkillsProvider,
)
from .skill_provider import SkillProvider

SkillsProvider = SkillsDirectoryProvider

__all__ = [
    "ClaudeSkillsProvider",
    "CodexSkillsProvider",
    "CopilotSkillsProvider",
    "CursorSkillsProvider",
    "GeminiSkillsProvider",
    "GooseSkillsProvider",
    "OpenCodeSkillsProvider",
    "SkillProvider",
    "SkillsDirectoryProvider",
    "SkillsProvider",
    "VSCodeSkillsProvider",
]
