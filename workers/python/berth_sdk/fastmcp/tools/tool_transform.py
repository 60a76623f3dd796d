"""Tools made of other tools: other names, other arguments, a function around the first one."""

import contextvars
import inspect

from berth_runtime.serving.call_parameters import prune
from berth_runtime.serving.context import settled

from berth_sdk.versions import current

from ..server.dependencies import injected, injected_values
from .arguments import ArgTransform, ArgTransformConfig, Config
from .output import output_schema_of
from .schemas import merged, with_used_definitions
from .tool import UNSET, Tool, ToolResult, result_of

NotSet = UNSET
_running = contextvars.ContextVar("berth_transformed_tool", default=None)


async def forward(**arguments):
    """Call the first tool with arguments of the new names, from the function around it."""
    tool = _running.get()
    if tool is None:
        raise RuntimeError("forward() can only be called within a transformed tool")
    return await tool.forwarding_fn(**arguments)


async def forward_raw(**arguments):
    """Call the first tool with arguments of its own names."""
    tool = _running.get()
    if tool is None:
        raise RuntimeError("forward_raw() can only be called within a transformed tool")
    return await tool.parent_tool.run(arguments)


class TransformedTool(Tool):
    """A tool that is made of another one."""

    @classmethod
    def from_tool(
        cls,
        tool,
        name=None,
        title=NotSet,
        description=NotSet,
        tags=None,
        transform_fn=None,
        transform_args=None,
        annotations=NotSet,
        output_schema=NotSet,
        serializer=NotSet,
        meta=NotSet,
        enabled=None,
    ):
        """Make a tool of another one; raises ValueError when arguments do not agree."""
        changes = transform_args or {}
        _check_known(tool, changes)
        made = cls.__new__(cls)
        made.parent_tool = tool
        made.transform_args = changes
        schema = made._forwarding()
        _check_distinct(changes)
        if output_schema is NotSet:
            output_schema = _output(tool, transform_fn)
        if transform_fn is not None:
            schema = merged(_parsed(transform_fn, schema), schema)
        schema = current("fastmcp").closed(schema)
        made.fn = transform_fn or made.forwarding_fn
        made._providers = injected(made.fn)

        def kept(value, own):
            return own if value is NotSet else value

        made._describe(
            name or tool.name,
            schema,
            output_schema,
            title=kept(title, tool.title),
            description=kept(description, tool.description),
            tags=tags or tool.tags,
            annotations=kept(annotations, tool.annotations),
            serializer=kept(serializer, tool.serializer),
            meta=kept(meta, tool.meta),
            enabled=tool.enabled if enabled is None else enabled,
        )
        return made

    def _forwarding(self):
        """Set the function that calls the first tool; return the schema of its arguments."""
        theirs = self.parent_tool.parameters
        needed = theirs.get("required", ())
        properties, required, names, hidden = {}, [], {}, {}
        for old, schema in theirs.get("properties", {}).items():
            change = self.transform_args.get(old, ArgTransform())
            if change.hide:
                if change.value() is NotSet and old in needed:
                    raise ValueError(
                        f"Hidden parameter '{old}' has no default value in parent tool and no "
                        "default or default_factory provided in ArgTransform. Either provide a "
                        "default or default_factory in ArgTransform or don't hide required "
                        "parameters."
                    )
                hidden[old] = change
                continue
            new, made, wanted = change.applied(old, schema, old in needed)
            properties[new], names[new] = made, old
            if wanted:
                required.append(new)

        async def forwarding(**arguments):
            unknown, missing = set(arguments) - set(properties), set(required) - set(arguments)
            if unknown:
                told = ", ".join(sorted(unknown))
                raise TypeError(f"Got unexpected keyword argument(s): {told}")
            if missing:
                raise TypeError(f"Missing required argument(s): {', '.join(sorted(missing))}")
            given = {names[new]: value for new, value in arguments.items()}
            filled = {old: change.value() for old, change in hidden.items()}
            given.update({old: value for old, value in filled.items() if value is not NotSet})
            return await self.parent_tool.run(given)

        self.forwarding_fn = forwarding
        schema = {"type": "object", "properties": properties, "required": required}
        return with_used_definitions(schema, theirs.get("$defs", {}))

    async def run(self, arguments):
        """Call the function, or the first tool, and return a ToolResult."""
        filled = {
            name: schema["default"]
            for name, schema in self.parameters.get("properties", {}).items()
            if "default" in schema and name not in arguments
        }
        token = _running.set(self)
        try:
            values = {**arguments, **filled, **await injected_values(self._providers)}
            result = await settled(self.fn(**values))
        finally:
            _running.reset(token)
        if not isinstance(result, ToolResult):
            return result_of(result, self.output_schema, self.serializer)
        schema = self.output_schema
        if schema is None or schema.get("type") == "object" or schema.get("x-fastmcp-wrap-result"):
            return result
        return ToolResult(result.content)


class ToolTransformConfig(Config):
    """What becomes of a tool, in a configuration."""

    names = ("name", "title", "description", "tags", "meta", "enabled", "arguments")

    def apply(self, tool):
        """Return the tool in its new form."""
        changes = {key: value for key, value in self.given.items() if key != "arguments"}
        arguments = {
            key: (ArgTransformConfig(**item) if isinstance(item, dict) else item).to_arg_transform()
            for key, item in self.given.get("arguments", {}).items()
        }
        return TransformedTool.from_tool(tool, transform_args=arguments, **changes)


def apply_transformations_to_tools(tools, transformations):
    """Return tools by name, those with a transformation in their new form."""
    made = {}
    for name, tool in tools.items():
        change = transformations.get(name)
        made[change.name or name if change else name] = change.apply(tool) if change else tool
    return made


def _check_known(tool, changes):
    known = set(tool.parameters.get("properties", {}))
    unknown = set(changes) - known
    if unknown:
        raise ValueError(
            f"Unknown arguments in transform_args: {', '.join(sorted(unknown))}. "
            f"Parent tool `{tool.name}` has: {', '.join(sorted(known))}"
        )


def _check_distinct(changes):
    names = [
        change.name if isinstance(change.name, str) else old
        for old, change in changes.items()
        if not change.hide
    ]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        told = ", ".join(sorted(twice))
        raise ValueError(f"Multiple arguments would be mapped to the same names: {told}")


def _output(tool, function):
    """Return the output schema: what the function announces, else that of the first tool."""
    if function is None:
        return tool.output_schema
    found = output_schema_of(function)
    if found is None and inspect.signature(function).return_annotation is not ToolResult:
        return tool.output_schema
    return found


def _parsed(function, schema):
    """Return the schema of the function around a tool; raises ValueError if arguments are left."""
    from berth_runtime.serving.call_parameters import CallParameters

    declared = inspect.signature(function).parameters.values()
    rest = [p.name for p in declared if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    own = CallParameters(function, {**injected(function), **dict.fromkeys(rest)}).schema()
    names, wanted = set(own["properties"]), set(schema["properties"])
    if not any(p.kind is p.VAR_KEYWORD for p in declared) and wanted - names:
        raise ValueError(
            "Function missing parameters required after transformation: "
            f"{', '.join(sorted(wanted - names))}. Function declares: {', '.join(sorted(names))}"
        )
    return prune(own)
