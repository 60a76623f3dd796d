"""The low-level server: every decorator, results in every form, checks by schema."""

import mcp.types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.shared.exceptions import McpError
from table import call

mcp = Server("lowlevel", version="1.2.3", instructions="Use it well")

NUMBER = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": 0, "maximum": 10},
        "b": {"type": "string", "enum": ["x", "y"]},
        "c": {"type": "array", "items": {"type": "number"}, "maxItems": 2},
        "d": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "e": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2},
        "f": {"$ref": "#/$defs/inner"},
        "g": {"const": 5},
        "h": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]},
        "i": {"not": {"type": "string"}},
        "j": {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
        "k": {"type": "object", "patternProperties": {"^n": {"type": "integer"}},
              "additionalProperties": False, "propertyNames": {"maxLength": 3}, "minProperties": 1},
        "l": {"type": "array", "uniqueItems": True, "contains": {"type": "integer"}},
        "m": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
        "n": {"if": {"type": "string"}, "then": {"minLength": 3}, "else": {"type": "integer"}},
        "o": {"type": ["string", "null"]},
    },
    "$defs": {"inner": {"type": "object", "properties": {"z": {"type": "boolean"}},
                        "required": ["z"]}},
    "dependentRequired": {"b": ["c"]},
    "required": ["a"],
    "additionalProperties": False,
}  # fmt: skip
RETURNED = {
    "text": [types.TextContent(type="text", text="t")],
    "tuple": ([types.TextContent(type="text", text="t")], {"a": 1}),
    "dict": {"a": 1, "b": [1, {"c": None}], "é": "☃"},
    "empty": [],
    "result": types.CallToolResult(
        content=[types.TextContent(type="text", text="r")], isError=True, structuredContent={"a": 1}
    ),
    "string": "plain",
    "none": None,
    "number": 5,
    "wrong": ["plain", 5],
    "generator": (block for block in [types.TextContent(type="text", text="g")]),
    "image": [types.ImageContent(type="image", data="aWQ=", mimeType="image/png")],
}
OUTPUT = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@mcp.list_tools()
async def list_tools() -> list[types.Tool]:
    made = [types.Tool(name=name, inputSchema={"type": "object"}) for name in RETURNED]
    return [
        types.Tool(name="check", description="Checks", inputSchema=NUMBER),
        types.Tool(
            name="full",
            title="All fields",
            description="Everything",
            inputSchema={"type": "object", "properties": {}},
            outputSchema=OUTPUT,
            annotations=types.ToolAnnotations(title="T", readOnlyHint=True),
            icons=[types.Icon(src="https://example.com/i.png", mimeType="image/png", sizes=["1x1"])],
            _meta={"a": 1},
        ),
        types.Tool(name="unstructured", inputSchema={"type": "object"}, outputSchema=OUTPUT),
        types.Tool(name="misfit", inputSchema={"type": "object"}, outputSchema=OUTPUT),
        types.Tool(name="failing", inputSchema={"type": "object"}),
        types.Tool(name="refusing", inputSchema={"type": "object"}),
        types.Tool(name="visiting", inputSchema={"type": "object"}),
        *made,
    ]


@mcp.call_tool()
async def call_tool(name: str, arguments: dict):
    if name == "check":
        return [types.TextContent(type="text", text=str(arguments))]
    if name == "full":
        return {"a": 1}
    if name == "unstructured":
        return [types.TextContent(type="text", text="t")]
    if name == "misfit":
        return {"a": "x"}
    if name == "failing":
        raise ValueError("failed")
    if name == "refusing":
        raise McpError(types.ErrorData(code=-5, message="refused", data={"a": 1}))
    if name == "visiting":
        from mcp.shared.exceptions import UrlElicitationRequiredError

        raise UrlElicitationRequiredError(
            [types.ElicitRequestURLParams(message="Go", url="https://example.com", elicitationId="1")]
        )
    if name == "context":
        context = mcp.request_context
        await context.session.send_log_message("info", "from the context")
        return [types.TextContent(type="text", text=str(context.meta.progressToken))]
    return RETURNED[name]


@mcp.list_resources()
async def list_resources() -> list[types.Resource]:
    return [
        types.Resource(uri="test://a", name="a"),
        types.Resource(
            uri="test://b", name="b", title="B", description="d", mimeType="text/html", size=5,
            annotations=types.Annotations(audience=["assistant"], priority=0.1),
        ),
    ]  # fmt: skip


@mcp.list_resource_templates()
async def list_templates() -> list[types.ResourceTemplate]:
    return [types.ResourceTemplate(uriTemplate="test://{x}", name="x", description="d")]


@mcp.read_resource()
async def read_resource(uri):
    text = str(uri)
    if text.endswith("text"):
        return "text"
    if text.endswith("bytes"):
        return b"\x00\x01"
    if text.endswith("contents"):
        return [
            ReadResourceContents(content="html", mime_type="text/html"),
            ReadResourceContents(content=b"b", mime_type=None),
            ReadResourceContents(content="m", mime_type="text/plain", meta={"a": 1}),
        ]
    if text.endswith("empty"):
        return []
    raise ValueError(f"Unknown: {type(uri).__name__ != 'str'} {uri.scheme}")


@mcp.subscribe_resource()
async def subscribe(uri):
    if "no" in str(uri):
        raise ValueError("not this one")


@mcp.unsubscribe_resource()
async def unsubscribe(uri):
    pass


@mcp.list_prompts()
async def list_prompts(request: types.ListPromptsRequest) -> types.ListPromptsResult:
    cursor = request.params.cursor if request.params else None
    argument = types.PromptArgument(name="a", description="d", required=True)
    prompt = types.Prompt(name=f"p{cursor or 0}", description="d", arguments=[argument])
    return types.ListPromptsResult(prompts=[prompt], nextCursor=None if cursor else "1")


@mcp.get_prompt()
async def get_prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    if name == "failing":
        raise KeyError("failing")
    text = types.TextContent(type="text", text=f"{name} {arguments}")
    message = types.PromptMessage(role="user", content=text)
    return types.GetPromptResult(description="d", messages=[message])


@mcp.completion()
async def complete(ref, argument, context):
    if argument.name == "none":
        return None
    if argument.name == "context":
        return types.Completion(values=[str(context.arguments if context else None)])
    values = [type(ref).__name__, argument.value]
    return types.Completion(values=values, total=2, hasMore=False)


@mcp.set_logging_level()
async def set_level(level):
    if level == "alert":
        raise ValueError("too loud")


def completing(name, value="v", **more):
    """Return the request that completes an argument."""
    ref = more.pop("ref", {"type": "ref/prompt", "name": "p"})
    return ("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}, **more})


CHECKED = [
    {}, {"a": 1}, {"a": -1}, {"a": 11}, {"a": "1"}, {"a": 1.0}, {"a": 1.5}, {"a": True},
    {"a": 1, "zz": 1}, {"a": 1, "zz": 1, "yy": 2}, {"b": "x"}, {"a": 1, "b": "x"},
    {"a": 1, "b": "z", "c": []}, {"a": 1, "c": [1, 2, 3]}, {"a": 1, "c": ["x"]}, {"a": 1, "d": 5},
    {"a": 1, "d": None}, {"a": 1, "e": "A"}, {"a": 1, "e": "a"}, {"a": 1, "f": {}},
    {"a": 1, "f": {"z": 1}}, {"a": 1, "g": 6}, {"a": 1, "g": 5}, {"a": 1, "h": 6}, {"a": 1, "h": "s"},
    {"a": 1, "i": "s"}, {"a": 1, "j": [1, 2]}, {"a": 1, "j": ["x"]}, {"a": 1, "k": {}},
    {"a": 1, "k": {"n": "x"}}, {"a": 1, "k": {"m": 1}}, {"a": 1, "k": {"nnnn": 1}},
    {"a": 1, "l": [1, 1]}, {"a": 1, "l": ["x"]}, {"a": 1, "m": 0}, {"a": 1, "m": 0.7},
    {"a": 1, "n": "ab"}, {"a": 1, "n": 1.5}, {"a": 1, "o": 5}, {"a": 1, "o": None},
]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    *[call("check", **arguments) for arguments in CHECKED],
    ("tools/call", {"name": "check"}),
    *[call(name) for name in RETURNED],
    call("full"),
    call("unstructured"),
    call("misfit"),
    call("failing"),
    call("refusing"),
    call("visiting"),
    call("unknown"),
    ("tools/call", {"name": "context", "arguments": {}, "_meta": {"progressToken": "t"}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *[("resources/read", {"uri": f"test://{name}"}) for name in ("text", "bytes", "contents",
                                                                 "empty", "other")],
    ("resources/subscribe", {"uri": "test://a"}),
    ("resources/subscribe", {"uri": "test://no"}),
    ("resources/unsubscribe", {"uri": "test://a"}),
    ("prompts/list", {}),
    ("prompts/list", {"cursor": "1"}),
    ("prompts/get", {"name": "a", "arguments": {"x": "y"}}),
    ("prompts/get", {"name": "a"}),
    ("prompts/get", {"name": "failing"}),
    completing("a"),
    completing("none"),
    completing("context"),
    completing("context", context={"arguments": {"k": "v"}}),
    completing("a", ref={"type": "ref/resource", "uri": "test://{x}"}),
    ("logging/setLevel", {"level": "debug"}),
    ("logging/setLevel", {"level": "alert"}),
    ("ping", {}),
]  # fmt: skip
