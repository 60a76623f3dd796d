import { assertEquals } from "@std/assert";
import { Interpreter } from "./pyodide.ts";

const FIXTURES = new URL("../../fixtures/sdk_names/", import.meta.url);
const FACTS = new URL("sdk_names_facts.py", import.meta.url);

/** Public names of the SDKs that Berth leaves out, and why; of classes their methods only. */
const LEFT_OUT: [names: RegExp, reason: string][] = [
  [/^(model_post_init|set_(default|binary)_\w+|validate_\w+)$/, "only pydantic calls them"],
  [
    /docket|^(coerce_task_arguments|get_tasks|convert_result|get_span_attributes|make_key)$/,
    "the queue of background tasks, and its traces",
  ],
  [/^(from_mcp_\w+|from_callable_tool|to_mcp_prompt_message)$/, "made inside FastMCP only"],
  [
    /^(add_transform|wrap_transform|transforms|local_provider|get_app_tool|get_tool_by_hash)$/,
    "the inside of FastMCP 3's providers",
  ],
  [/^(disable_components|enable_components|reset_visibility)$/, "a session's own view of a server"],
  [
    /^(send_message|add_response_router|incoming_messages|experimental|connect_session|disconnect)$/,
    "the streams between a server and a client",
  ],
  [/^(server_info_stamp|can_send_request|report_progress|middleware|session_manager)$/, "as above"],
  [/^get_(request|notification)_handler$|^server_info$/, "the inside of the low-level server"],
  [
    /^(on_|default_\w+_handler$|cancel_task|get_task_|list_tasks|dispatch|auth_flow|adopt|discover)/,
    "clients: tasks, sign-in and discovery",
  ],
  [
    /^(get_session_id|initialize_result|generate_name|instructions|server_capabilities|protocol_version|send_discover|validate_tool_result)$/,
    "what a client learns of another server's session",
  ],
  [
    /^(code|data|message|from_error_data|from_jsonrpc_error)$/,
    "an error of transports, never raised here",
  ],
  [/^(headers|input_responses|request_state|notify_\w+|client_capabilities)$/, "of revision 2026"],
];

async function listed(sdk: string): Promise<string> {
  const { readable } = await Deno.open(new URL(`${sdk}.json.gz`, FIXTURES));
  return await new Response(readable.pipeThrough(new DecompressionStream("gzip"))).text();
}

const python = await Interpreter.boot();

for (
  const [sdk, version] of [
    ["mcp1", "mcp 1.29"],
    ["mcp2", "mcp 2.3"],
    ["fastmcp2", "fastmcp 2.14"],
    [
      "fastmcp3",
      "fastmcp 3.4",
    ],
  ] as const
) {
  Deno.test(`every public name of ${version} can be imported, and is of its kind`, async () => {
    const load = await python.load({
      "facts.py": await Deno.readTextFile(FACTS),
      "names.json": await listed(sdk),
      "server.py": `
import facts
from mcp.server.fastmcp import FastMCP
server = FastMCP("facts")
@server.tool()
def told() -> str: return facts.faults(open("names.json").read())
`,
    });
    assertEquals(load.kind, "loaded", JSON.stringify(load));
    const [faults, seen] = JSON.parse(await python.text("told")) as [
      Record<string, string | string[]>,
      number,
    ];
    const unexpected: string[] = [];
    for (const [name, fault] of Object.entries(faults)) {
      const missing = typeof fault === "string"
        ? [fault]
        : fault.filter((attribute) => !LEFT_OUT.some(([pattern]) => pattern.test(attribute)));
      if (missing.length > 0) unexpected.push(`${name}: ${missing.join(", ")}`);
    }
    assertEquals(unexpected, []);
    assertEquals(seen > 1900, true);
  });
}

Deno.test("what only stands for a part of the SDK can be subclassed, and says why it does nothing", async () => {
  const load = await python.load({
    "server.py": `
from fastmcp.server.auth import OAuthProxy
from mcp.server.experimental.task_context import ServerTaskContext
from mcp.shared.progress import progress
from mcp_types import Tool
import mcp.types, fastmcp.cli.run
class Mine(OAuthProxy):
    pass
found = []
for act in (lambda: Mine(base_url="x").authorize(), lambda: fastmcp.cli.run.run_command("x")):
    try:
        act()
    except RuntimeError as error:
        found.append(str(error))
assert Tool is mcp.types.Tool
from mcp.server.fastmcp import FastMCP
server = FastMCP("x")
@server.tool()
def t() -> list[str]: return found
`,
  });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  const { structuredContent } = await python.tool("t");
  assertEquals(structuredContent.result, [
    "Mine.authorize is not available: Berth authenticates callers before they reach the server",
    "run_command is not available: Berth does not provide this part of the SDK",
  ]);
});

Deno.test("a name that no SDK has is still an error", async () => {
  for (
    const source of [
      "from mcp.server.fastmcp import NoSuchName",
      "from fastmcp import NoSuchName",
      "import mcp.no_such_module",
      "from mcp.types import NoSuchType",
    ]
  ) {
    const load = await python.load({ "server.py": source });
    assertEquals(load.kind, "raised", source);
  }
});
