/**
 * Lists and details over HTTP, beside a bare Hono handler that returns the same bytes through the same
 * listener, in processes of their own, by turns. A node takes many requests at once, so connections
 * are many; the count of a request is one statement of the database for all that wait.
 *
 * @module
 */
import { processorMs } from "../../helpers/processes.ts";
import { type Bar, median, type Row, type Scale } from "./table.ts";

const CONNECTIONS = 64;
const BAR = 0.7;
/** At most so much slower than with the fewest servers counts as flat. */
const FLAT = 1.3;

/** A server process of `list_server.ts`. */
interface ListServer {
  pid: number;
  port: number;
  /** A server's name; empty for a bare handler. */
  sample: string;
  stop(): Promise<void>;
}

/** What a side did in a round. */
interface Figures {
  perSecond: number;
  /** Milliseconds of processor time for each request, of this process and those it started. */
  processor: number;
}

/** Starts `list_server.ts`; it prints a line of JSON when it listens. */
async function startListServer(args: string[]): Promise<ListServer> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("list_server.ts", import.meta.url).href, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`list_server.ts ${args.join(" ")} ended`);
    text += value;
  }
  const { port, sample } = JSON.parse(text);
  return {
    pid: child.pid,
    port,
    sample,
    async stop() {
      await reader.cancel();
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** Reads one response, of which only the length of the body is looked at. */
async function readResponse(connection: Deno.Conn, buffer: Uint8Array): Promise<void> {
  let have = 0;
  let need = Infinity;
  while (have < need) {
    const read = await connection.read(need === Infinity ? buffer.subarray(have) : buffer);
    if (read === null) throw new Error("The server closed the connection");
    have += read;
    if (need !== Infinity) continue;
    const head = new TextDecoder().decode(buffer.subarray(0, have));
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) continue;
    if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
    need = end + 4 + Number(/^content-length: (\d+)/im.exec(head)![1]);
  }
}

/** Asks for `path` over many connections for some time. */
async function load({ port, pid }: ListServer, path: string, ms: number): Promise<Figures> {
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n`,
  );
  const before = await processorMs(pid);
  const end = performance.now() + ms;
  let count = 0;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const buffer = new Uint8Array(64 * 1024);
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    while (performance.now() < end) {
      await connection.write(request);
      await readResponse(connection, buffer);
      count++;
    }
  }));
  return {
    perSecond: count / (ms / 1000),
    processor: (await processorMs(pid) - before) / count,
  };
}

/** Berth and a bare handler by turns. */
async function compare(
  berth: ListServer,
  path: string,
  { rounds, quick }: Scale,
): Promise<{ berth: Figures[]; bare: Figures[] }> {
  const url = `http://127.0.0.1:${berth.port}${path}`;
  const response = await fetch(url, { headers: { "accept-encoding": "identity" } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const file = await Deno.makeTempFile({ prefix: "berth-bench-" });
  await Deno.writeFile(file, await response.bytes());
  const bare = await startListServer(["bare", file]);
  const found = { berth: [] as Figures[], bare: [] as Figures[] };
  const ms = quick ? 500 : 2000;
  try {
    // Not measured: both compile, the embedded database for longest.
    for (const side of [berth, bare]) await load(side, path, 3 * ms);
    for (let round = 0; round < rounds; round++) {
      found.berth.push(await load(berth, path, ms));
      found.bare.push(await load(bare, path, ms));
    }
  } finally {
    await bare.stop();
    await Deno.remove(file);
  }
  return found;
}

const shown = (figures: Figures[]) =>
  `${median(figures.map(({ perSecond }) => perSecond)).toFixed(0)}/s, ` +
  `${median(figures.map(({ processor }) => processor)).toFixed(2)} ms`;

/** Paths by what they are; the first is measured with many servers too. */
const PATHS = {
  "GET /servers/{name}": (sample: string) => `/api/v1/servers/${sample}`,
  "GET /servers?limit=1000": () => "/api/v1/servers?limit=1000",
  "GET /servers?q=weather&limit=50": () => "/api/v1/servers?q=weather&limit=50",
};

/** The rows of one kind of database, `embedded` or `postgres`, over registries of these sizes. */
export async function measureLists(
  kind: string,
  sizes: readonly number[],
  scale: Scale,
): Promise<Row[]> {
  const rows: Row[] = [];
  const first = new Map<string, number>();
  for (const size of sizes) {
    const berth = await startListServer([kind, String(size)]);
    try {
      for (const [what, pathOf] of Object.entries(PATHS)) {
        const found = await compare(berth, pathOf(berth.sample), scale);
        // Of each round by itself: what else the machine does hits both sides of it.
        const ratioOf = (figure: keyof Figures) =>
          median(found.berth.map((own, round) => own[figure] / found.bare[round]![figure]));
        const ratio = ratioOf("perSecond");
        const cost = ratioOf("processor");
        first.set(what, first.get(what) ?? cost);
        const growth = cost / first.get(what)!;
        rows.push({
          what: `${what}, ${size} servers, ${kind}`,
          berth: shown(found.berth),
          peer: `${shown(found.bare)} (bare Hono)`,
          ratio: `${ratio.toFixed(2)} of it, ${(1 / cost).toFixed(2)} by processor time` +
            (size === sizes[0] ? "" : `, ${growth.toFixed(2)} times the work of ${sizes[0]}`),
          bar: size === sizes[0] ? `${BAR} of it` : `${BAR} of it, flat`,
          isReached: ratio >= BAR && growth <= FLAT,
        });
      }
    } finally {
      await berth.stop();
    }
  }
  return rows;
}

export const listsBar: Bar = {
  name: "lists",
  async measure(scale) {
    const sizes = scale.quick ? [1000, 5000] : [1000, 100_000];
    const kinds = ["embedded", ...Deno.env.has("TEST_DATABASE_URL") ? ["postgres"] : []];
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(...await measureLists(kind, sizes, scale));
    return rows;
  },
};
