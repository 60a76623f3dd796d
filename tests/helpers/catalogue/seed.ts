/**
 * A registry as people would find it: over two hundred servers of real-looking names, lengths and
 * languages, some with little about them, some that do not run or did not pass.
 *
 * @module
 */
import type { Sql } from "../../../src/database/client.ts";
import { keepIcon } from "../../../src/documents/icons.ts";
import { keepReadme } from "../../../src/documents/readme_store.ts";
import { pngOf } from "../../../src/documents/png.ts";
import { insertServer } from "../../../src/registry/servers/store.ts";
import { dayOf } from "../../../src/registry/usage/counter.ts";
import { sumCalls, USAGE_DAYS } from "../../../src/registry/usage/history.ts";
import type { SecurityReport } from "../../../src/scan/schema.ts";
import { reportOn, repositoryOf } from "../registry.ts";
import { type CatalogueServer, familyServers } from "./families.ts";
import { readmeOf, reportOfServer } from "./report.ts";

const DAY_MS = 86_400_000;
const LICENSES = [
  "MIT",
  "MIT",
  "MIT",
  "Apache-2.0",
  "BSD-3-Clause",
  "GPL-3.0-only",
  "MIT OR Apache-2.0",
];
const LANGS = ["python", "python", "python", "typescript", "go", "rust", "javascript"] as const;

/** A number from `text`, the same each time. */
function hash(text: string): number {
  let state = 2_166_136_261;
  for (const character of text) {
    state = Math.imul(state ^ character.codePointAt(0)!, 16_777_619) >>> 0;
  }
  return (state ^ (state >>> 15)) >>> 0;
}

/** A number below `limit`: one of those that belong to the name `of`. */
function dice(of: string, limit: number): number {
  return hash(of) % limit;
}

async function listedServers(): Promise<CatalogueServer[]> {
  const text = await Deno.readTextFile(new URL("./servers.txt", import.meta.url));
  return text.trim().split("\n").map((line) => {
    const [name, description, tools, author] = line.split(" | ");
    const names = tools!.split(",").map((tool) => tool.trim()).filter((tool) => tool !== "");
    return { name: name!, description: description!, tools: names, author: author! };
  });
}

/** The servers of the catalogue, in a fixed order. */
export async function catalogueServers(): Promise<CatalogueServer[]> {
  return [...await listedServers(), ...familyServers()];
}

const BUILDS = [
  { runs: "needs_variables", subject: null, kind: "missing_variable", variables: ["API_TOKEN"] },
  { runs: "no", subject: "torch", kind: "missing_package", variables: [] },
  { runs: "needs_network", subject: null, kind: "needs_network", variables: [] },
] as const;

/** What the build says: most servers start, some do not, and some were never tried. */
function buildOf(name: string): NonNullable<SecurityReport["compatibility"]>["build"] {
  const which = dice(`${name} build`, 10);
  if (which === 9) return undefined;
  const fault = BUILDS[which];
  return {
    runs: fault?.runs ?? "yes",
    profile: "full",
    problem: fault === undefined ? null : {
      kind: fault.kind,
      subject: fault.subject,
      message: "It did not start",
      file: "server.py",
      line: 3,
      hint: "See the documentation",
      variables: [...fault.variables],
    },
    reason: null,
    tools_listed: fault === undefined ? 1 : null,
    duration_ms: 900,
  };
}

/** What its tools may do, by what they are called. */
function capabilitiesOf({ tools }: CatalogueServer): SecurityReport["capabilities"] {
  const running = tools.filter((tool) => /query|run_python|run_command/.test(tool));
  const kind = tools.includes("run_command")
    ? "commands" as const
    : tools.includes("run_python")
    ? "code" as const
    : "sql" as const;
  return {
    runs: running.length === 0 ? [] : [{ kind, tools: running, file: "server.py", line: 12 }],
    hosts: tools.some((tool) => /search|get_|list_/.test(tool)) ? ["api.example.com"] : [],
    files: tools.some((tool) => /file|pdf|document/.test(tool)),
    keys: tools.some((tool) => /create|send|post/.test(tool)) ? ["API_TOKEN"] : [],
  };
}

function fieldsOf({ name, description, tools, author }: CatalogueServer) {
  const free = dice(`${name} price`, 12) !== 0;
  return {
    version: `${dice(name, 4)}.${dice(`${name} minor`, 20)}.${dice(`${name} patch`, 9)}`,
    description,
    author,
    lang: LANGS[dice(`${name} lang`, LANGS.length)]!,
    license: LICENSES[dice(`${name} license`, LICENSES.length)]!,
    entrypoint: "server.py",
    repository: { type: "git" as const, url: `https://github.com/acme/${name}` },
    tools,
    toolsDiscovered: true,
    pricing: { currency: "USD", amount: free ? 0 : 4.5 },
    configuration: dice(`${name} keys`, 6) === 0 ? [{ name: "API_TOKEN", required: true }] : null,
    category: null,
    tags: null,
    visibility: "public" as const,
  };
}

/** An icon of the seed's own: two colours and a diagonal. */
function iconOf(name: string): Uint8Array<ArrayBuffer> {
  const side = 64;
  const rgba = new Uint8Array(side * side * 4);
  const colours = [0, 1].map((which) =>
    ["red", "green", "blue"].map((channel) => 40 + dice(`${name} ${which} ${channel}`, 200))
  );
  for (let at = 0; at < side * side; at++) {
    const isUpper = at % side + Math.floor(at / side) < side;
    rgba.set([...colours[isUpper ? 0 : 1]!, 255], at * 4);
  }
  return pngOf(rgba, side);
}

/** Calls as they are: a few servers get most of them, many none. */
async function storeCalls(sql: Sql, name: string, now: Date): Promise<void> {
  const use = dice(`${name} use`, 1000) ** 3 / 1000 ** 2;
  if (use < 20) return;
  const days = Array.from({ length: USAGE_DAYS }, (_, ago) => ({
    server: name,
    day: dayOf(new Date(now.getTime() - ago * DAY_MS)),
    calls: Math.round(use * (0.4 + dice(`${name} ${ago}`, 100) / 100)),
  }));
  await sql`insert into server_calls ${sql(days)}`;
}

/** As if its repository named its owner. */
async function nameOwner(sql: Sql, name: string): Promise<void> {
  await sql`
    insert into users (subject, username, created_at)
    select owner, left(md5(owner), 20), now() from servers where name = ${name}
    on conflict do nothing`;
  await sql`
    update servers set publishers = array(
      select publisher_code::text from users where subject = servers.owner
    ) where name = ${name}`;
}

async function store(sql: Sql, server: CatalogueServer, now: Date): Promise<void> {
  const { name, tools, author } = server;
  const fields = fieldsOf(server);
  const repository = await repositoryOf(fields.repository.url, `# ${name}\nprint()\n`);
  const verdict = dice(`${name} verdict`, 14);
  const status = verdict === 0 ? "error" : verdict <= 2 ? "failed" : "passed";
  const plain = reportOn({ repository, serverName: name }, { status, tools });
  const report = reportOfServer(plain, server, dice);
  // What has failed is not built.
  const build = status === "failed" ? undefined : buildOf(name);
  const isPython = fields.lang === "python";
  await sql.begin((tx) =>
    insertServer(tx, {
      name,
      owner: `user-${author}`,
      fields,
      scanned: {
        repository,
        report: {
          ...report,
          ...(isPython && build !== undefined
            ? { compatibility: { restricted: false, refused: [], full: true, build } }
            : {}),
          ...(isPython ? { capabilities: capabilitiesOf(server) } : {}),
        },
        tools,
        retryAt: null,
        retries: 0,
        buildAt: null,
      },
      now,
    })
  );
  const source = { archive_sha256: repository.sha256, folder: "" };
  await keepReadme(sql, source, readmeOf(server, dice));
  if (dice(`${author} proof`, 4) === 0) await nameOwner(sql, name);
  await keepIcon(sql, source, dice(`${name} icon`, 5) === 0 ? iconOf(name) : null);
}

/** Writes the catalogue as it is on the day `now`. */
export async function seedCatalogue(sql: Sql, now: Date): Promise<void> {
  for (const server of await catalogueServers()) {
    const { name } = server;
    const made = new Date(now.getTime() - (1 + dice(`${name} made`, 400)) * DAY_MS);
    await store(sql, server, made);
    const since = dice(`${name} changed`, 3) === 0 ? 0 : dice(`${name} since`, 60) * DAY_MS;
    const changed = new Date(Math.max(made.getTime(), now.getTime() - DAY_MS - since));
    await sql`update servers set updated_at = ${changed} where name = ${name}`;
    await storeCalls(sql, name, now);
  }
  await sumCalls(sql, now);
}
