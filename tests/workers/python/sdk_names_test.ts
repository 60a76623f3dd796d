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
  [
    /^(headers|input_responses|request_state|notify_\w+|client_capabilities|client_extension_settings|add_extension|required_extensions|legacy_only|prior_discover)$/,
    "of revision 2026",
  ],
  [/skill|^check_resource_access$/, "skills, which Berth does not serve"],
  [/^(resolve_security|parse_disabled_session_idle_timeout)$/, "only FastMCP 4 itself calls them"],
];

type Names = Record<string, Record<string, string | [string, string[]]>>;

const VERSIONS = ["mcp_1", "mcp_2", "fastmcp_2", "fastmcp_3", "fastmcp_4"];

async function listed(version: string): Promise<Names> {
  const { readable } = await Deno.open(new URL(`${version}.json.gz`, FIXTURES));
  return await new Response(readable.pipeThrough(new DecompressionStream("gzip"))).json();
}

/** A requirement that means a version of an SDK: `mcp_2` is `mcp==2.*`. */
function requirement(version: string): string {
  return version.replace("_", "==") + ".*";
}

const lists = new Map(
  await Promise.all(VERSIONS.map(async (each) => [each, await listed(each)] as const)),
);
const python = await Interpreter.boot();

async function tell(version: string, given: unknown, ask: string) {
  const load = await python.load({
    "facts.py": await Deno.readTextFile(FACTS),
    "names.json": JSON.stringify(given),
    "requirements.txt": requirement(version),
    "server.py": `
import facts
from mcp.server import Server
server = Server("facts")
@server.call_tool()
async def call(name, arguments):
    from mcp.types import TextContent
    return [TextContent(type="text", text=getattr(facts, name)(open("names.json").read()))]
`,
  });
  assertEquals(load.kind, "loaded", JSON.stringify(load));
  return JSON.parse(await python.text(ask));
}

for (const version of VERSIONS) {
  const what = requirement(version);
  Deno.test(`every public name of ${what} can be imported, and is of its kind`, async () => {
    const [faults, seen] = await tell(version, lists.get(version), "faults") as [
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

  Deno.test(`${what} has no name that only another version has`, async () => {
    const own = lists.get(version)!;
    const others = VERSIONS.filter((each) =>
      each !== version && each.split("_")[0] === version.split("_")[0]
    );
    const absent: Record<string, string[]> = {};
    for (const other of others) {
      for (const [module, names] of Object.entries(lists.get(other)!)) {
        const missing = Object.keys(names).filter((name) => own[module]?.[name] === undefined);
        if (missing.length > 0 || own[module] === undefined) {
          absent[module] = [...absent[module] ?? [], ...missing];
        }
      }
    }
    assertEquals(await tell(version, absent, "present"), []);
  });
}

Deno.test("what only stands for a part of the SDK can be subclassed, and says why it does nothing", async () => {
  const load = await python.load({
    "server.py": `
from fastmcp.server.auth import OAuthProxy
from mcp.server.experimental.task_context import ServerTaskContext
from mcp.shared.progress import progress
import fastmcp.cli.run
class Mine(OAuthProxy):
    pass
found = []
for act in (lambda: Mine(base_url="x").authorize(), lambda: fastmcp.cli.run.run_command("x")):
    try:
        act()
    except RuntimeError as error:
        found.append(str(error))
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
