"""What every provider of resources has: lists, look-ups, and which parts it shows."""

import contextlib


class ResourcesProvider:
    """What only has resources and templates, in the form of a server that is mounted."""

    def __init__(self):
        self._choices = []

    def is_empty(self):
        """Return False: it may have resources later."""
        return False

    async def get_tools(self):
        """Return no tools."""
        return {}

    async def get_prompts(self):
        """Return no prompts."""
        return {}

    async def get_resources(self):
        """Return no resources; subclasses have some."""
        return {}

    async def get_resource_templates(self):
        """Return no templates; subclasses have some."""
        return {}

    async def list_tools(self):
        """Return no tools."""
        return []

    async def list_prompts(self):
        """Return no prompts."""
        return []

    async def list_resources(self):
        """Return the resources that are shown."""
        return [each for each in (await self.get_resources()).values() if each.enabled]

    async def list_resource_templates(self):
        """Return the templates that are shown."""
        return [each for each in (await self.get_resource_templates()).values() if each.enabled]

    async def get_tool(self, name, version=None):
        """Return None: there are no tools."""

    async def get_prompt(self, name, version=None):
        """Return None: there are no prompts."""

    async def get_resource(self, uri, version=None):
        """Return the resource that is shown at an address, or None."""
        shown = await self.list_resources()
        return next((each for each in shown if str(each.uri) == str(uri)), None)

    async def get_resource_template(self, uri, version=None):
        """Return the template that is shown and that an address fits, or None."""
        shown = await self.list_resource_templates()
        return next((each for each in shown if each.matches(str(uri)) is not None), None)

    def disable(self, **chosen):
        """Hide parts: by `names`, `keys`, `tags` and `components`, all without a choice."""
        self._choices.append((False, chosen))
        return self

    def enable(self, *, only=False, **chosen):
        """Show parts again, chosen as by `disable`; with `only`, hide all others."""
        if only:
            self._choices.append((False, {}))
        self._choices.append((True, chosen))
        return self

    @contextlib.asynccontextmanager
    async def lifespan(self):
        """Do nothing: nothing has to be opened."""
        yield

    def _as_chosen(self, kind, found):
        """Return the parts, each marked as shown or hidden."""
        for key, part in found.items():
            for shown, chosen in self._choices:
                if _is_meant(kind, key, part, **chosen):
                    part.enabled = shown
        return found


def _is_meant(kind, key, part, names=None, keys=None, tags=None, components=None, version=None):
    """Tell whether a choice means a part; each criterion that is given must fit."""
    return (
        version is None
        and (not components or kind in components)
        and (not names or part.name in names or str(key) in names)
        and (not keys or f"{kind}:{key}" in keys or f"{kind}:{key}@" in keys)
        and (not tags or bool(part.tags & set(tags)))
    )
