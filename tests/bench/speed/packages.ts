/**
 * What packages of a server's own cost: its publication, once more with the same lock file, and the
 * start of its sessions, beside a server that has none. The index is on loopback.
 *
 * @module
 */
import { startIndex, type TestPackage } from "../../helpers/package_index.ts";
import { connect } from "./clients.ts";
import { emptyServer } from "./sdk.ts";
import { type Service, startService } from "./service.ts";
import { restWarm, STARTS } from "./starts.ts";
import { atMost, type Bar, median, pause, type Row, type Scale, timed } from "./table.ts";

type ServerFiles = Record<string, string>;

const PACKAGES = 40;
const MANY = `${PACKAGES} packages of its own`;
const MODULES = 20;
/** Packages that require each other, one the next. */
const CHAIN = 4;
/** Until an analysis process is prepared. */
const PREPARED_MS = 5000;
const IMAGES_MS = 300_000;

const MAX_FIRST_MS = 10_000;
const MAX_AGAIN_MS = 1000;
const MAX_START = 1.3;

export const nameOf = (at: number) => `bench-package-${at}`;
const moduleOf = (at: number) => nameOf(at).replaceAll("-", "_");

/** A module as libraries have them: classes, functions, tables. */
function moduleSource(at: number): string {
  const functions = Array.from({ length: 12 }, (_, n) => `
def work_${n}(first, second=${n}, *others, key=None):
    """Work on the values."""
    found = {name: value for name, value in enumerate(others)}
    if key is not None and key in found:
        return [found[key] + first * second for _ in range(${at + 1})]
    try:
        return sorted(str(each) for each in (first, second, *others))
    except (TypeError, ValueError) as error:
        raise RuntimeError(f"{first} and {second} do not go together") from error
`);
  return `"""Module ${at}."""
import dataclasses
import re

PATTERN = re.compile(r"part-(\\\\d+)-${at}")
TABLE = {f"key-{n}": n * ${at} for n in range(50)}

@dataclasses.dataclass
class Record:
    """A record."""
    name: str = "${at}"
    values: list = dataclasses.field(default_factory=list)

    def total(self):
        return sum(self.values) + TABLE["key-1"]
${functions.join("\n")}`;
}

/** The files of a package of 20 modules that imports others. */
export function packageFiles(module: string, imports: readonly string[] = []) {
  const names = Array.from({ length: MODULES - 1 }, (_, n) => `part_${n}`);
  const init = [
    ...imports.map((each) => `import ${each}`),
    `from . import ${names.join(", ")}`,
  ];
  return {
    [`${module}/__init__.py`]: `${init.join("\n")}\n`,
    ...Object.fromEntries(names.map((name, n) => [`${module}/${name}.py`, moduleSource(n)])),
  };
}

export function packageOf(at: number): TestPackage {
  const next = at % CHAIN === CHAIN - 1 ? [] : [at + 1];
  return {
    name: nameOf(at),
    version: "1.0",
    requires: next.map(nameOf),
    files: packageFiles(moduleOf(at), next.map(moduleOf)),
  };
}

const all = Array.from({ length: PACKAGES }, (_, at) => at);

/** Milliseconds of starts of both servers, by turns, each when `rest` has resolved. */
async function starts(service: Service, { rounds }: Scale, rest: () => Promise<void>) {
  const times: Record<string, number[]> = { none: [], own: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, list] of Object.entries(times)) {
      await rest();
      const { ms, session } = await start(service, name);
      await session.close();
      if (round > 0) list.push(ms);
    }
  }
  return { none: median(times["none"]!), own: median(times["own"]!) };
}

async function start(service: Service, name: string) {
  const begun = performance.now();
  const session = await connect(service.urlOf(name));
  return { ms: performance.now() - begun, session };
}

/** Starts while a spare session of each waits, as it does by default where a server is in demand. */
async function spareStarts(servers: Record<string, ServerFiles>, index: string, scale: Scale) {
  await using service = await startService(servers, {
    IMAGES_MB: "1024",
    PACKAGE_INDEX_URL: index,
  });
  await imageMade(service);
  for (let n = 0; n < STARTS; n++) {
    for (const name of Object.keys(servers)) await (await start(service, name)).session.close();
  }
  const before = await service.gauge("berth_spare_hits_total");
  const spares = Object.keys(servers).length;
  const found = await starts(service, scale, () => restWarm(service, spares));
  const hits = await service.gauge("berth_spare_hits_total") - before;
  if (hits < 2 * scale.rounds) throw new Error(`Only ${hits} sessions were spare ones`);
  return found;
}

function startRow(what: string, { none, own }: { none: number; own: number }): Row {
  return {
    what: `initialize, ${what}: ${MANY}, beside none`,
    berth: `${own.toFixed(0)} ms`,
    peer: `${none.toFixed(0)} ms`,
    ratio: `${(own / none).toFixed(2)} times as long`,
    bar: `at most ${MAX_START} times as long`,
    isReached: own / none <= MAX_START,
  };
}

async function imageMade(service: Service): Promise<void> {
  const until = performance.now() + IMAGES_MS;
  while (await service.gauge("berth_images") < 1) {
    if (performance.now() > until) throw new Error(`No image was made\n${service.log()}`);
    await pause(500);
  }
}

export const packagesBar: Bar = {
  name: "packages",
  async measure(scale): Promise<Row[]> {
    await using index = await startIndex(all.map(packageOf));
    const lock = all.map((at) =>
      `${nameOf(at)}==1.0 --hash=sha256:${index.digests[`${nameOf(at)} 1.0`]}\n`
    ).join("");
    const own = {
      "server.py": emptyServer(all.map((at) => `import ${moduleOf(at)}\n`).join("")),
      "requirements.txt": lock,
    };
    const none = { "server.py": emptyServer() };
    const servers = { warm: none, none, own, again: own };
    await using service = await startService(servers, {
      SPARE_SESSIONS: "0",
      IMAGES_MB: "1024",
      PACKAGE_INDEX_URL: index.url,
    }, ["none", "own", "again"]);
    async function publication(name: string): Promise<number> {
      await pause(PREPARED_MS);
      return await timed(() => service.register(name));
    }
    const plain = await publication("none");
    const first = await publication("own");
    const again = await publication("again");
    await imageMade(service);
    const warm = await starts(service, scale, () => restWarm(service));
    const spare = await spareStarts({ none, own }, index.url, scale);
    return [
      atMost(`publication with ${MANY}`, { berth: first, max: MAX_FIRST_MS, unit: "ms" }),
      atMost("publication with the same lock file once more, beside one without packages", {
        berth: again - plain,
        max: MAX_AGAIN_MS,
        unit: "ms",
        peer: `${plain.toFixed(0)} ms`,
      }),
      startRow("a spare session waits", spare),
      startRow("a warm session waits", warm),
    ];
  },
};
