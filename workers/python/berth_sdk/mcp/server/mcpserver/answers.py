"""What a server of version 2 answers otherwise than one of version 1."""

from berth_runtime.model.nodes.urls import normal_url
from berth_runtime.serving.content import block_of, wire
from berth_runtime.serving.errors import INTERNAL_ERROR, RESOURCE_NOT_FOUND, McpError, failure
from berth_runtime.serving.prompts import Prompt as FirstPrompt
from berth_runtime.serving.resources import contents_of, read_contents
from berth_runtime.tracebacks import limit_of

from ..fastmcp.utilities.logging import get_logger
from .exceptions import ResourceError, ResourceNotFoundError, UnexpectedResourceError

_log = get_logger(__name__)


class Prompt(FirstPrompt):
    """A prompt; content blocks and pictures are messages of the user."""

    def message(self, item):
        """Return one thing that the function returned as a message; raises ValueError."""
        block = block_of(item)
        if block is not None:
            return {"role": "user", "content": wire(block)}
        return super().message(item)


class ModernAnswers:
    """Reading and rendering: what a function did not mean to tell stays on the server."""

    async def _contents(self, uri):
        """Return the contents of a resource; raises ResourceError, or McpError as it is."""
        resource = self._resources.get(uri)
        if resource is not None:
            reading = resource.read(self.get_context())
            return await self._told(resource, uri, reading, f"Error reading resource {uri}")
        for template in self._templates.values():
            arguments = template.matches(uri)
            if arguments is not None:
                reading = template.read(arguments, self.get_context())
                text = f"Error creating resource from template {uri}"
                return await self._told(template, uri, reading, text)
        raise ResourceNotFoundError(f"Unknown resource: {uri}")

    async def _told(self, item, uri, reading, text):
        try:
            return [contents_of(uri, item.mime_type, await reading, item.meta)]
        except McpError, ResourceError:
            raise
        except Exception as error:
            _log.exception("Resource %r raised an unexpected exception", uri)
            raise UnexpectedResourceError(text + limit_of(error)) from error

    async def wire_read(self, uri):
        """Answer resources/read."""
        try:
            return await self._contents(uri)
        except ResourceError as error:
            missing = isinstance(error, ResourceNotFoundError)
            code = RESOURCE_NOT_FOUND if missing else INTERNAL_ERROR
            raise failure(code, str(error), {"uri": uri}) from error

    async def read_resource(self, uri):
        """Return the contents of a resource; raises ResourceError."""
        return [read_contents(shape) for shape in await self._contents(normal_url(str(uri)))]

    def _prompt_failure(self, name, error):
        if isinstance(error, McpError):
            return error
        _log.exception("Prompt %r raised an exception", name)
        return failure(0, f"Error rendering prompt {name}{limit_of(error)}")
