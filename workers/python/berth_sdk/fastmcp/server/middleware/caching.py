"""Caches of answers: lists, results of tools, resources and prompts, each for a time."""

import copy
import dataclasses
import json
import time
import typing

from berth_runtime.model.dump import to_json

from .kept import (
    CALL_TOOL,
    GET_PROMPT,
    LIST_PROMPTS,
    LIST_RESOURCES,
    LIST_TOOLS,
    READ_RESOURCE,
)
from .middleware import Middleware

_MEBIBYTE = 1024 * 1024
_ENTRIES_MOST = 10_000
_LIST = "__global__"


class SharedMethodSettings(typing.TypedDict, total=False):
    """How answers of one method are kept: whether, and for how many seconds."""

    ttl: int
    enabled: bool


class CallToolSettings(SharedMethodSettings, total=False):
    """Which tools' results are kept."""

    included_tools: list[str]
    excluded_tools: list[str]


ListToolsSettings = ListResourcesSettings = ListPromptsSettings = SharedMethodSettings
ReadResourceSettings = GetPromptSettings = SharedMethodSettings


@dataclasses.dataclass
class GetStatistics:
    """How often was looked, and found."""

    count: int = 0
    hit: int = 0
    miss: int = 0


@dataclasses.dataclass
class PutStatistics:
    """How often something was to be kept."""

    count: int = 0


@dataclasses.dataclass
class KVStoreCollectionStatistics:
    """What was done with the answers of one method."""

    get: GetStatistics = dataclasses.field(default_factory=GetStatistics)
    put: PutStatistics = dataclasses.field(default_factory=PutStatistics)


@dataclasses.dataclass
class ResponseCachingStatistics:
    """Statistics by method; None where nothing was asked."""

    list_tools: KVStoreCollectionStatistics | None = None
    list_resources: KVStoreCollectionStatistics | None = None
    list_prompts: KVStoreCollectionStatistics | None = None
    read_resource: KVStoreCollectionStatistics | None = None
    get_prompt: KVStoreCollectionStatistics | None = None
    call_tool: KVStoreCollectionStatistics | None = None

    def model_dump(self, **_options):
        """Return the statistics as a dictionary."""
        return dataclasses.asdict(self)


class _MemoryStore:
    """Keeps dictionaries until their time is over; the oldest go first when there are too many."""

    def __init__(self):
        self._entries = {}

    async def get(self, key, *, collection=None):
        """Return what is kept, or None."""
        value, end = self._entries.get((collection, key), (None, None))
        if end is not None and time.monotonic() >= end:
            del self._entries[collection, key]
            return None
        return copy.deepcopy(value)

    async def put(self, key, value, *, collection=None, ttl=None):
        """Keep a dictionary for `ttl` seconds; None: as long as there is room."""
        end = None if ttl is None else time.monotonic() + float(ttl)
        self._entries.pop((collection, key), None)
        self._entries[collection, key] = (copy.deepcopy(value), end)
        while len(self._entries) > _ENTRIES_MOST:
            del self._entries[next(iter(self._entries))]


class ResponseCachingMiddleware(Middleware):
    """Answers again what it has answered before, as long as that is fresh.

    `cache_storage` is any object with the asynchronous `get(key, collection=)` and
    `put(key, value, collection=, ttl=)`; values are dictionaries of plain data.
    """

    def __init__(
        self,
        cache_storage=None,
        list_tools_settings=None,
        list_resources_settings=None,
        list_prompts_settings=None,
        read_resource_settings=None,
        get_prompt_settings=None,
        call_tool_settings=None,
        max_item_size=_MEBIBYTE,
    ):
        self._store = cache_storage or _MemoryStore()
        self._most = max_item_size
        self._settings = {
            LIST_TOOLS: list_tools_settings or {},
            LIST_RESOURCES: list_resources_settings or {},
            LIST_PROMPTS: list_prompts_settings or {},
            READ_RESOURCE: read_resource_settings or {},
            GET_PROMPT: get_prompt_settings or {},
            CALL_TOOL: call_tool_settings or {},
        }
        self._counts = {}

    async def _cached(self, kind, key, context, call_next):
        """Return a kept answer, or a new one, which is kept."""
        settings = self._settings[kind]
        if settings.get("enabled") is False:
            return await call_next(context)
        kept = await self._store.get(key, collection=kind.collection)
        self._count(kind, kept is not None)
        # A list without items is asked for again.
        if kept is not None and kept.get("items", True):
            return kind.load(kept)
        answer = await call_next(context)
        kept = kind.dump(answer)
        if len(json.dumps(kept, ensure_ascii=False).encode()) <= self._most:
            ttl = settings.get("ttl", kind.ttl)
            await self._store.put(key, kept, collection=kind.collection, ttl=ttl)
        self._counts[kind.collection].put.count += 1
        return kind.load(kept) if kind.fresh is None else kind.fresh(answer)

    def _count(self, kind, found):
        counts = self._counts.setdefault(kind.collection, KVStoreCollectionStatistics())
        counts.get.count += 1
        if found:
            counts.get.hit += 1
        else:
            counts.get.miss += 1

    async def on_list_tools(self, context, call_next):
        """Answer tools/list."""
        return await self._cached(LIST_TOOLS, _LIST, context, call_next)

    async def on_list_resources(self, context, call_next):
        """Answer resources/list."""
        return await self._cached(LIST_RESOURCES, _LIST, context, call_next)

    async def on_list_prompts(self, context, call_next):
        """Answer prompts/list."""
        return await self._cached(LIST_PROMPTS, _LIST, context, call_next)

    async def on_call_tool(self, context, call_next):
        """Answer tools/call, for the tools that are chosen."""
        name, settings = context.message.name, self._settings[CALL_TOOL]
        wanted, refused = settings.get("included_tools"), settings.get("excluded_tools")
        if wanted and name not in wanted or refused and name in refused:
            return await call_next(context)
        key = f"{name}:{_text_of(context.message.arguments)}"
        return await self._cached(CALL_TOOL, key, context, call_next)

    async def on_read_resource(self, context, call_next):
        """Answer resources/read."""
        return await self._cached(READ_RESOURCE, str(context.message.uri), context, call_next)

    async def on_get_prompt(self, context, call_next):
        """Answer prompts/get."""
        key = f"{context.message.name}:{_text_of(context.message.arguments)}"
        return await self._cached(GET_PROMPT, key, context, call_next)

    def statistics(self):
        """Return how often answers were looked for, found and kept, by method."""
        return ResponseCachingStatistics(
            list_tools=self._counts.get("tools/list"),
            list_resources=self._counts.get("resources/list"),
            list_prompts=self._counts.get("prompts/list"),
            read_resource=self._counts.get("resources/read"),
            get_prompt=self._counts.get("prompts/get"),
            call_tool=self._counts.get("tools/call"),
        )


def _text_of(arguments):
    return "null" if arguments is None else to_json(arguments, fallback=str)
