/**
 * Several Berths, each in a process of its own, that share PostgreSQL and sessions, with the server
 * `notes` registered.
 *
 * @module
 */
import { type BerthProcess, freePort, startBerthProcess } from "./berth_process.ts";
import { type JsonAnswer, registryClient, sendMessage } from "./clients.ts";
import { preparedDataDir } from "./data_dir.ts";
import { createServerDatabase } from "./database.ts";
import type { Place } from "./net_namespaces.ts";
import { descendants, textOf } from "./processes.ts";
import { openWay, type TcpWay } from "./tcp_way.ts";
import { EXAMPLE_OWNER, startWorld, type World } from "./world.ts";

/** It has a state, and asks its client in the middle of a call. */
export const NOTES_SOURCE = `
from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

mcp = FastMCP("notes")
notes: list[str] = []

class Answer(BaseModel):
    text: str

@mcp.tool()
def note(text: str) -> str:
    """Keeps a note, and gives all of them."""
    notes.append(text)
    return ",".join(notes)

@mcp.tool()
async def ask(ctx: Context) -> str:
    """Asks the user."""
    answer = await ctx.elicit(message="What?", schema=Answer)
    return answer.data.text

mcp.run()
`;

/** A node in a process of its own. */
export interface ClusterNode extends BerthProcess {
  /** Its way to the database, and that of the others to it. */
  ways: { database: TcpWay; node: TcpWay };
  /** The process that works, not the command that started it. */
  mainPid: number;
}

/** How a node is not like the others. */
export interface NodeOptions {
  /** The folder of another version. */
  root?: string;
  /** Where it runs, and by which address it reaches this machine. */
  elsewhere?: { place: Place; machine: string };
}

/** Berths that share sessions. */
export interface Cluster extends AsyncDisposable {
  nodes: ClusterNode[];
  /** Starts one more. */
  add(environment?: Record<string, string>, options?: NodeOptions): Promise<ClusterNode>;
  /** An access token of the world's issuer. */
  mint(claims: { sub: string }): Promise<string>;
  /** Adds a note to a session, by the node or balancer at an address. */
  note(url: string, session: string, text: string): Promise<JsonAnswer>;
  /** The notes in an answer. */
  notesOf(answer: JsonAnswer): string;
  /** What nodes and sessions did, for who reads that a test failed. */
  story(): string;
}

/** The process below `root` whose command is Berth. */
export async function mainOf(root: number): Promise<number> {
  for (const pid of [root, ...await descendants(root)]) {
    const command = (await textOf(`/proc/${pid}/cmdline`)).split("\0");
    if (command.includes("main.ts")) return pid;
  }
  throw new Error("Berth's process is not there");
}

/** What registers the repository `name` as a server. */
export function registration(name: string): Record<string, unknown> {
  return {
    name,
    version: "1.0.0",
    description: "Keeps notes",
    lang: "python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { url: `https://github.com/${EXAMPLE_OWNER}/${name}` },
  };
}

async function register({ apiUrl }: BerthProcess, world: World): Promise<void> {
  const created = await registryClient(apiUrl, world.issuer.mint)("POST", "/servers", {
    user: "ada",
    body: registration("notes"),
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
}

/** By which others reach a node: directly, where it has an address of its own. */
function addressesOf(
  host: string,
  { port, way, isElsewhere }: { port: number; way: number; isElsewhere: boolean },
): Record<string, string> {
  if (!isElsewhere) return { NODE_URL: `http://${host}:${way}` };
  const url = `http://${host}:${port}`;
  return { HOST: host, NODE_URL: url, WORKER_URL: url, REGISTRY_URL: url };
}

/** What is worth reading: also what is no line of the log. */
const TOLD = /^[^{]|"(session|node|shutdown)\.|"level":"(warn|error)"/;

/** Starts `size` nodes; the first one has the registry. */
export async function startCluster(
  size: number,
  environment: Record<string, string> = {},
): Promise<Cluster> {
  const stack = new AsyncDisposableStack();
  const nodes: ClusterNode[] = [];
  async function close() {
    for (const { ways } of nodes) [ways.database, ways.node].forEach((way) => way.mend());
    await Promise.all(nodes.map((node) => node.stop()));
    await stack.disposeAsync();
  }
  async function open() {
    const world = await startWorld(undefined, [
      { owner: EXAMPLE_OWNER, name: "notes", files: { "server.py": NOTES_SOURCE } },
    ]);
    stack.defer(() => world.close());
    const database = await createServerDatabase(Deno.env.get("TEST_DATABASE_URL")!);
    stack.defer(() => database.drop());
    return { world, database };
  }
  async function add(
    { world, database }: Awaited<ReturnType<typeof open>>,
    more: Record<string, string> = {},
    { root, elsewhere }: NodeOptions = {},
  ) {
    const host = elsewhere?.place.address ?? "127.0.0.1";
    const machine = elsewhere?.machine ?? "127.0.0.1";
    const dataDir = await preparedDataDir();
    stack.defer(() => Deno.remove(dataDir, { recursive: true }));
    const port = freePort();
    const url = new URL(database.url);
    const ways = {
      database: stack.use(
        await openWay({ host: url.hostname, port: Number(url.port || 5432) }, machine),
      ),
      node: stack.use(await openWay({ host, port })),
    };
    url.host = `${machine}:${ways.database.port}`;
    const berth = await startBerthProcess({
      dataDir,
      ...(root === undefined ? {} : { root }),
      ...(elsewhere === undefined ? {} : { within: elsewhere.place.within }),
      environment: {
        ...world.environment,
        DATABASE_URL: url.href,
        ...addressesOf(host, { port, way: ways.node.port, isElsewhere: elsewhere !== undefined }),
        WORKER_PORT: String(port),
        INTERPRETER_PROFILE: "full",
        BUILD_POLICY: "off",
        WARM_SESSIONS: "1",
        SPARE_SESSIONS: "0",
        CALLS_PER_MINUTE: "100000",
        SECRETS_KEY: new Uint8Array(32).fill(9).toBase64(),
        TRUSTED_PROXIES: "127.0.0.1",
        ...environment,
        ...more,
      },
    });
    const node = { ...berth, ways, mainPid: await mainOf(berth.pid) };
    nodes.push(node);
    return node;
  }
  try {
    const around = await open();
    await register(await add(around), around.world);
    await Promise.all(Array.from({ length: size - 1 }, () => add(around)));
    return {
      nodes,
      add: (more, options) => add(around, more, options),
      mint: around.world.issuer.mint,
      note: (url, session, text) =>
        sendMessage(url, { server: "notes", session }, {
          id: 1,
          method: "tools/call",
          params: { name: "note", arguments: { text } },
        }),
      story: () =>
        nodes.map((node) =>
          node.log().split("\n").filter((line) => TOLD.test(line))
            .map((line) => line.slice(0, 300)).join("\n")
        ).join("\n\n"),
      notesOf(answer) {
        const text = answer.body?.result?.content?.[0]?.text;
        if (typeof text === "string") return text;
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
