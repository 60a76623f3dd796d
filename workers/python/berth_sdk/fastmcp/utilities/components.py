"""What tools, resources, templates and prompts have in common."""

import copy


class FastMCPComponent:
    """A part of a server that a client can see; other attributes are its kind's own."""

    enabled = True
    owner = None
    # What clients are told of the part beside its tags.
    told = {}

    @property
    def key(self):
        """What the server knows the part by."""
        return self.__dict__.get("key") or getattr(self, "name", None)

    @key.setter
    def key(self, value):
        self.__dict__["key"] = value

    def copy(self):
        """Return a copy, of which changes do not reach this one."""
        return copy.copy(self)

    def model_copy(self, *, update=None, deep=False, key=None):
        """Return a copy with some attributes changed."""
        made = copy.deepcopy(self) if deep else copy.copy(self)
        for name, value in {**(update or {}), **({"key": key} if key else {})}.items():
            setattr(made, name, value)
        return made

    def enable(self):
        """Show the part to clients."""
        self._switch(True)

    def disable(self):
        """Hide the part from clients."""
        self._switch(False)

    def _switch(self, enabled):
        self.enabled = enabled

    def get_meta(self, include_fastmcp_meta=None):
        """Return the metadata that clients get."""
        meta = dict(self.meta or {})
        if include_fastmcp_meta is not False:
            meta["_fastmcp"] = {"tags": sorted(self.tags), **self.told}
        return meta or None
