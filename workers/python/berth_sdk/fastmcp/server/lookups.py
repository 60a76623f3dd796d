"""What a server finds among its parts, those of mounted servers included."""

import secrets

from ..exceptions import NotFoundError


def _found(items, key, what):
    if key not in items:
        raise NotFoundError(f"Unknown {what}: {key}")
    return items[key]


class Lookups:
    """Finding single parts of a server by what it knows them by; raises NotFoundError."""

    docket = None
    """The queue of background tasks, which Berth does not have."""

    async def get_tool(self, key):
        """Return a tool by name."""
        return _found(await self.get_tools(), key, "tool")

    async def get_prompt(self, key):
        """Return a prompt by name."""
        return _found(await self.get_prompts(), key, "prompt")

    async def get_resource(self, key):
        """Return a resource by address."""
        return _found(await self.get_resources(), key, "resource")

    async def get_resource_template(self, key):
        """Return a template by its family of addresses."""
        return _found(await self.get_resource_templates(), key, "resource template")

    @classmethod
    def generate_name(cls, name=None):
        """Return a name for a server that has none."""
        suffix = secrets.token_hex(2)
        return f"{cls.__name__}-{name}-{suffix}" if name else f"{cls.__name__}-{suffix}"
