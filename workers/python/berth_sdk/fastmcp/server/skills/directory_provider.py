"""The skills in folders, and where programs for agents have theirs."""

import logging
import os
import pathlib

from .resources_provider import ResourcesProvider
from .skill_provider import SkillProvider

_logger = logging.getLogger("fastmcp.server.providers.skills.directory_provider")


class SkillsDirectoryProvider(ResourcesProvider):
    """Offers each folder below some others that has a main file; the first of a name counts."""

    def __init__(self, roots, reload=False, main_file_name="SKILL.md", supporting_files="template"):
        super().__init__()
        self._added = []
        several = [roots] if isinstance(roots, (str, os.PathLike)) else roots
        self._roots = [pathlib.Path(root).resolve() for root in several]
        self._reload = reload
        self._options = {"main_file_name": main_file_name, "supporting_files": supporting_files}
        self.providers = self._found()

    def _found(self):
        found = {}
        for root in filter(pathlib.Path.is_dir, self._roots):
            for folder in root.iterdir():
                main = folder / self._options["main_file_name"]
                if folder.name in found or not folder.is_dir() or not main.exists():
                    continue
                try:
                    found[folder.name] = SkillProvider(folder, **self._options)
                except OSError:
                    _logger.exception("Failed to load skill: %s", folder.name)
        return list(found.values())

    def add_provider(self, provider, *, namespace=""):
        """Offer another provider's resources too; a prefix for their names needs a server."""
        if namespace:
            raise ValueError("A namespace needs a server: mount(provider, namespace=…) there")
        self._added.append(provider)

    async def get_resources(self):
        """Return the resources of all skills."""
        return self._as_chosen("resource", await self._of_all("get_resources"))

    async def get_resource_templates(self):
        """Return the templates of all skills."""
        return self._as_chosen("template", await self._of_all("get_resource_templates"))

    async def _of_all(self, getter):
        if self._reload:
            self.providers = self._found()
        found = {}
        for provider in [*self.providers, *self._added]:
            found.update(await getattr(provider, getter)())
        return found


def _at(name, *places):
    """Return a provider of the skills in certain folders."""

    class Provider(SkillsDirectoryProvider):
        """Offers the skills of a program's users."""

        def __init__(self, reload=False, main_file_name="SKILL.md", supporting_files="template"):
            roots = [pathlib.Path(place).expanduser() for place in places]
            super().__init__(roots, reload, main_file_name, supporting_files)

    Provider.__name__ = Provider.__qualname__ = name
    return Provider


ClaudeSkillsProvider = _at("ClaudeSkillsProvider", "~/.claude/skills")
CursorSkillsProvider = _at("CursorSkillsProvider", "~/.cursor/skills")
VSCodeSkillsProvider = _at("VSCodeSkillsProvider", "~/.copilot/skills")
CodexSkillsProvider = _at("CodexSkillsProvider", "/etc/codex/skills", "~/.codex/skills")
GeminiSkillsProvider = _at("GeminiSkillsProvider", "~/.gemini/skills")
GooseSkillsProvider = _at("GooseSkillsProvider", "~/.config/agents/skills")
CopilotSkillsProvider = _at("CopilotSkillsProvider", "~/.copilot/skills")
OpenCodeSkillsProvider = _at("OpenCodeSkillsProvider", "~/.config/opencode/skills")
