"""What only FastMCP has: bare decorators, results, tags, state, dependencies, mounted servers."""

import dataclasses
import enum
from typing import *

import mcp.types as types
from fastmcp import Context, FastMCP
from fastmcp.dependencies import CurrentContext, Depends
from fastmcp.exceptions import PromptError, ResourceError, ToolError
from fastmcp.prompts import Message, Prompt
from fastmcp.resources import Resource, TextResource
from fastmcp.server.dependencies import get_context
from fastmcp.tools import Tool
from fastmcp.tools.tool import ToolResult
from fastmcp.utilities.types import Audio, File, Image
from mcp.types import TextContent
from pydantic import BaseModel, Field
from table import call

mcp = FastMCP(name="features", instructions="Use it well", version="4.5.6")
attempts = []


def attempt(what, function):
    """Note what something says."""
    try:
        made = function()
        attempts.append(f"{what}: {type(made).__name__}")
    except Exception as error:
        attempts.append(f"{what}: {type(error).__name__}: {error}")


@mcp.tool
def bare(a: int) -> int:
    """Bare."""
    return a


@mcp.tool("by_position")
def positional(a: int = 1) -> int:
    return a


@mcp.tool(tags={"b", "a"}, meta={"x": 1}, title="Tagged", annotations={"readOnlyHint": True})
def tagged() -> str:
    return "tagged"


@mcp.tool(enabled=False)
def switched_off() -> str:
    return "off"


@mcp.tool(exclude_args=["secret"])
def excluding(a: int, secret: str = "s") -> str:
    return f"{a} {secret}"


@mcp.tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}})
def own_schema() -> dict:
    return {"n": 1}


@mcp.tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}})
def misfit() -> dict:
    return {"n": "x"}


@mcp.tool(output_schema=None)
def no_schema() -> int:
    return 5


@mcp.tool
def result_text() -> ToolResult:
    return ToolResult(content="text")


@mcp.tool
def result_both() -> ToolResult:
    return ToolResult(
        content=[TextContent(type="text", text="t")], structured_content={"a": 1}, meta={"m": 1}
    )


@mcp.tool
def result_structured() -> ToolResult:
    return ToolResult(structured_content={"a": [1]})


@mcp.tool
def result_wrong() -> ToolResult:
    return ToolResult(structured_content=[1])


@mcp.tool
def result_nothing() -> ToolResult:
    return ToolResult()


@mcp.tool
def result_model() -> ToolResult:
    return ToolResult(content=[Image(data=b"x"), "words", 5])


@mcp.tool
def a_file() -> File:
    return File(data=b"x")


@mcp.tool
def named_file():
    return File(data=b"text", format="plain", name="notes")


@mcp.tool
def pdf():
    return [File(data=b"%PDF", format="pdf", name="doc"), "see"]


@mcp.tool
async def state(ctx: Context) -> str:
    before = ctx.get_state("k")
    ctx.set_state("k", 5)
    return f"{before} {ctx.get_state('k')} {ctx.get_state('other')}"


@mcp.tool
def injected(a: int, ctx: Context = CurrentContext()) -> str:
    return f"{a} {type(ctx).__name__}"


def provided():
    return "provided"


async def provided_later():
    return "later"


@mcp.tool
async def depending(a: int, b: str = Depends(provided), c: str = Depends(provided_later)) -> str:
    return f"{a} {b} {c}"


@mcp.tool
def ambient() -> str:
    return f"{get_context().request_id.isdigit()} {get_context().fastmcp.name}"


@mcp.tool
async def logging(ctx: Context) -> str:
    await ctx.log("words", level="notice", logger_name="own", extra={"a": 1})
    await ctx.info("words", extra={"b": None})
    return "logged"


@mcp.tool
async def sample(ctx: Context) -> str:
    answer = await ctx.sample("Hi", system_prompt="Be brief", temperature=0.5, max_tokens=9,
                              model_preferences=["a", "b"])
    return f"{type(answer).__name__} {answer.text!r} {answer.result!r} {len(answer.history)}"


@mcp.tool
async def sample_messages(ctx: Context) -> str:
    message = types.SamplingMessage(role="assistant", content=TextContent(type="text", text="Ho"))
    answer = await ctx.sample(["Hi", message], model_preferences="m")
    return f"{answer.text}"


class Sum(BaseModel):
    total: int


@mcp.tool
async def sample_typed(ctx: Context) -> str:
    answer = await ctx.sample("1+1?", result_type=Sum)
    return f"{answer.result!r} {answer.text}"


@mcp.tool
async def sample_number(ctx: Context) -> str:
    answer = await ctx.sample("1+1?", result_type=int)
    return f"{answer.result!r}"


def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


@mcp.tool
async def sample_tools(ctx: Context) -> str:
    answer = await ctx.sample("1+1?", tools=[add])
    return f"{answer.text} {len(answer.history)}"


@mcp.tool
async def sample_step(ctx: Context) -> str:
    step = await ctx.sample_step("1+1?", tools=[add], tool_choice="required", execute_tools=False)
    return f"{step.is_tool_use} {step.text} {[c.name for c in step.tool_calls]} {len(step.history)}"


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Address:
    street: str
    number: int = 1


ASKED = [
    None, str, int, bool, float, ["a", "b"], Literal["x", "y"], Colour, Address, Sum,
    {"low": {"title": "Low"}, "high": {"title": "High"}}, [["a", "b"]],
    [{"low": {"title": "Low"}}], list[Colour], list[Literal["x", "y"]], dict[str, int], [], {},
]  # fmt: skip


@mcp.tool
async def elicit(which: int, ctx: Context) -> str:
    answer = await ctx.elicit("Well?", response_type=ASKED[which])
    return f"{type(answer).__name__.split('[')[0]} {answer.action} {getattr(answer, 'data', None)!r}"


@mcp.tool
async def roots(ctx: Context) -> str:
    return str([str(root.uri) for root in await ctx.list_roots()])


@mcp.tool
async def change(ctx: Context) -> str:
    mcp.tool(lambda: 1, name="new_tool")
    mcp.tool(lambda: 2, name="newer_tool")
    mcp.resource("new://resource")(lambda: "r")
    mcp.prompt(lambda: "p", name="new_prompt")
    mcp.remove_tool("new_tool")
    return "changed"


@mcp.tool
async def inner_reads(ctx: Context) -> str:
    found = await ctx.read_resource("data://plain")
    listed = await ctx.list_resources()
    prompts = await ctx.list_prompts()
    prompt = await ctx.get_prompt("hello", {"name": "Ada"})
    return f"{found[0].content} {len(listed)} {len(prompts)} {prompt.messages[0].content.text}"


def from_function(a: int, b: str = "x") -> str:
    """From a function."""
    return f"{a}{b}"


mcp.add_tool(Tool.from_function(from_function, name="made", description="Made", tags={"t"}))
mcp.tool(from_function, name="called", description="Called")
attempt("tool", lambda: mcp.tool(bare.fn if hasattr(bare, "fn") else bare, name="again"))
attempt("tool twice", lambda: mcp.tool("x", name="y"))
attempt("lambda", lambda: mcp.tool(lambda a: a))
attempt("no call", lambda: mcp.resource(from_function))
attempt("prompt", lambda: mcp.prompt(lambda: "x", name="lambda_prompt"))
attempt("bare tool", lambda: bare)
attempt("remove", lambda: mcp.remove_tool("missing"))
attempt("bad schema", lambda: mcp.tool(from_function, name="z", output_schema={"type": "array"}))


@mcp.resource("data://plain", tags={"r"}, title="Plain")
def plain() -> str:
    """Plain."""
    return "plain"


@mcp.resource("data://model")
def model() -> Sum:
    return Sum(total=1)


@mcp.resource("data://dictionary")
def dictionary() -> dict:
    return {"a": 1}


@mcp.resource("data://refused")
def refused():
    raise ResourceError("told")


@mcp.resource("data://{path*}")
def wild(path: str) -> str:
    return f"wild {path}"


@mcp.resource("query://{name}{?limit,offset}")
def query(name: str, limit: int = 10, offset: int = 0) -> str:
    return f"{name} {limit!r} {offset!r}"


mcp.add_resource(TextResource(uri="static://text", text="static", name="static"))


def one(a):
    return a


def none():
    return 1


def two(a, b=1):
    return a


attempt("query", lambda: mcp.resource("q://x{?a}")(one))
attempt("extra", lambda: mcp.resource("q://{a}/c")(none))
attempt("less", lambda: mcp.resource("q://c")(one))
attempt("optional", lambda: mcp.resource("q://{a}/d")(two))
attempt("lambda resource", lambda: mcp.resource("q://{a}/e")(lambda a: a))


@mcp.prompt
def hello(name: str) -> str:
    """Says hello."""
    return f"Hello {name}"


@mcp.prompt("named", tags={"p"}, title="Named")
def other(count: int, words: list[str] | None = None) -> list:
    """Counts."""
    return [f"{count} {words}", Message("More", role="assistant")]


@mcp.prompt
def refused_prompt() -> str:
    raise PromptError("told")


child = FastMCP("child")


@child.tool
def greet(name: str, ctx: Context) -> str:
    """Greets."""
    return f"Hi {name} {ctx.fastmcp.name}"


@child.resource("child://data")
def child_data() -> str:
    return "child"


@child.resource("child://{key}/value")
def child_value(key: str) -> str:
    return f"value {key}"


@child.prompt
def child_prompt() -> str:
    return "child prompt"


flat = FastMCP("flat")


@flat.tool
def from_flat() -> str:
    return "flat"


mcp.mount(child, prefix="sub")
mcp.mount(flat)


@child.tool
def added_later() -> str:
    return "later"


TEXT = {"role": "assistant", "content": {"type": "text", "text": "Two"}, "model": "m"}


def uses(name, arguments, identity="u1"):
    """Return the answer of a model that uses a tool."""
    block = {"type": "tool_use", "id": identity, "name": name, "input": arguments}
    return {"role": "assistant", "content": [block], "model": "m", "stopReason": "toolUse"}


ANSWERS = [
    TEXT,
    TEXT,
    uses("final_response", {"total": "x"}),
    uses("final_response", {"total": 2}, "u2"),
    uses("final_response", {"value": 2}),
    uses("add", {"a": 1}),
    uses("missing", {}, "u2"),
    uses("add", {"wrong": 1}, "u3"),
    TEXT,
    uses("add", {"a": 1}),
    *[{"action": "accept", "content": content} for content in (
        {}, {"value": "s"}, {"value": 5}, {"value": True}, {"value": 1.5}, {"value": "b"},
        {"value": "x"}, {"value": "red"}, {"street": "s"}, {"total": 4}, {"value": "low"},
        {"value": ["a"]}, {"value": ["low"]}, {"value": ["red"]}, {"value": ["x"]},
    )],
    {"action": "accept", "content": {"value": "no number"}},
    {"action": "decline"},
    {"action": "cancel"},
    {"action": "accept", "content": {"extra": 1}},
    {"roots": [{"uri": "file:///a"}]},
]  # fmt: skip
REQUESTS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    *[
        call(name)
        for name in (
            "by_position tagged switched_off own_schema misfit no_schema result_text result_both "
            "result_structured result_wrong result_nothing result_model a_file named_file pdf state "
            "state ambient logging sample sample_messages sample_typed sample_number sample_tools "
            "sample_step from_flat sub_added_later lambda_prompt again missing"
        ).split()
    ],
    call("bare", a="5"),
    call("bare", a="x"),
    call("bare", a=1, z=2),
    call("excluding", a=1),
    call("excluding", a=1, secret="t"),
    call("injected", a=1),
    call("injected", a=1, ctx="x"),
    call("depending", a=1),
    call("made", a=1),
    call("called", a="2", b="y"),
    call("sub_greet", name="Ada"),
    *[call("elicit", which=index) for index in range(15)],
    call("elicit", which=2),
    call("elicit", which=1),
    call("elicit", which=1),
    call("elicit", which=0),
    *[call("elicit", which=index) for index in range(15, 18)],
    call("roots"),
    call("inner_reads"),
    *[
        ("resources/read", {"uri": uri})
        for uri in (
            "data://plain", "data://model", "data://dictionary", "data://refused", "data://a/b/c",
            "query://n", "query://n?limit=5", "query://n?limit=x", "query://n?offset=1&limit=2",
            "static://text", "child://sub/data", "child://sub/k/value", "child://data", "none://x",
        )
    ],
    ("prompts/get", {"name": "hello", "arguments": {"name": "Ada"}}),
    ("prompts/get", {"name": "hello"}),
    ("prompts/get", {"name": "named", "arguments": {"count": "5", "words": '["a"]'}}),
    ("prompts/get", {"name": "named", "arguments": {"count": "x"}}),
    ("prompts/get", {"name": "refused_prompt"}),
    ("prompts/get", {"name": "sub_child_prompt"}),
    ("prompts/get", {"name": "missing"}),
    call("change"),
    ("tools/list", {}),
]  # fmt: skip


@mcp.tool
def registrations() -> list[str]:
    """Say what came of registrations."""
    return attempts


REQUESTS.append(call("registrations"))
