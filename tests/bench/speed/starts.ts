/**
 * How long `initialize` takes, beside a CPython process of the official SDK that starts and answers.
 *
 * @module
 */
import { connect } from "./clients.ts";
import { type Service, startService } from "./service.ts";
import { emptyServer, PYTHON, startSdkProcess } from "./sdk.ts";
import { type Bar, faster, notBuilt, pause, type Row, type Scale, timed } from "./table.ts";

/** Warm sessions that wait before a start is measured. */
export const WARM = 2;
/** For what is measured without them: each start would have the next one prepared meanwhile. */
const NO_SPARES = { SPARE_SESSIONS: "0" };
/** Starts that make a server one in demand. */
export const STARTS = 5;
/** Starts of other servers after which their image is the likely one. */
const OTHERS = 3;
/** A host that waits rehearses for a moment: it is at rest after that. */
export const REHEARSAL_MS = 2500;

/** Resolves when warm sessions, and so many spare ones, wait and have rehearsed. */
export async function restWarm(service: Service, spare = 0): Promise<void> {
  await service.rest(WARM, spare);
  await pause(REHEARSAL_MS);
}

/** Modules of packages that servers import beside pydantic and httpx. */
const FURTHER =
  "aiohttp bs4 cachetools click dateutil dotenv html2text jinja2 jwt markdown openai " +
  "openpyxl platformdirs pypdf rich sqlalchemy tabulate tenacity xmltodict yaml";

const IMPORTS: Record<string, string> = {
  empty: "",
  pydantic: "from pydantic import BaseModel\nclass Point(BaseModel):\n    x: int\n",
  httpx: "import httpx\n",
  further: `import httpx, pydantic\nimport ${FURTHER.replaceAll(" ", ", ")}\n`,
};

const SHOWN: Record<string, string> = {
  further: "pydantic, httpx and 20 further packages",
};

/** How long images may take to be made. */
const IMAGES_MS = 900_000;

/** Milliseconds of `initialize` at `urls`, all at once; the sessions end. */
async function initialize(urls: readonly string[]): Promise<number[]> {
  const times = await Promise.all(urls.map(async (url) => {
    let session: Awaited<ReturnType<typeof connect>> | null = null;
    const ms = await timed(async () => session = await connect(url));
    return { ms, session: session! as Awaited<ReturnType<typeof connect>> };
  }));
  await Promise.all(times.map(({ session }) => session.close()));
  return times.map(({ ms }) => ms);
}

/** Milliseconds that processes take which start all at once. */
async function processes(path: string, count: number): Promise<number[]> {
  const started = await Promise.all(Array.from({ length: count }, () => startSdkProcess(path)));
  await Promise.all(started.map((one) => one.stop()));
  return started.map(({ ms }) => ms);
}

async function withSource<T>(source: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/server.py`, source);
    return await work(`${folder}/server.py`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Both sides by turns, after a round that is not counted. */
async function compare(
  { rounds }: Scale,
  { urls, path, rest }: { urls: readonly string[]; path: string; rest: () => Promise<void> },
): Promise<{ berth: number[]; peer: number[] | null }> {
  const berth: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await rest();
    const own = await initialize(urls);
    // What takes the place of those that were taken is not to slow down the peer.
    await rest();
    const other = PYTHON === undefined ? [] : await processes(path, urls.length);
    if (round === 0) continue;
    berth.push(...own);
    peer.push(...other);
  }
  return { berth, peer: PYTHON === undefined ? null : peer };
}

/** Resolves when the image of the server with further packages is there. */
async function imagesMade(service: Service): Promise<void> {
  const until = performance.now() + IMAGES_MS;
  while (await service.gauge("berth_images") < 1) {
    if (performance.now() > until) throw new Error("No image was made");
    await pause(500);
  }
}

/** Whether the peer has what the server with further packages imports. */
async function hasFurther(): Promise<boolean> {
  if (PYTHON === undefined) return true;
  const args = ["-c", `import ${FURTHER.replaceAll(" ", ", ")}`];
  return (await new Deno.Command(PYTHON, { args, stderr: "null" }).output()).success;
}

async function single(service: Service, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, imports] of Object.entries(IMPORTS)) {
    if (name === "further" && !await hasFurther()) {
      rows.push(
        notBuilt("initialize, 20 further packages: the peer lacks them", "12 times faster"),
      );
      continue;
    }
    const sides = await withSource(
      emptyServer(imports),
      (path) =>
        compare(scale, { urls: [service.urlOf(name)], path, rest: () => restWarm(service) }),
    );
    const what = `initialize, a warm session waits: ${SHOWN[name] ?? name}`;
    rows.push(faster(what, { ...sides, times: 12 }));
  }
  return rows;
}

/** A warm session goes on ahead with the image that was asked for last: here another one is. */
async function unlikely(service: Service, scale: Scale): Promise<Row> {
  const sides = await withSource(emptyServer(IMPORTS["pydantic"]), (path) =>
    compare(scale, {
      urls: [service.urlOf("pydantic")],
      path,
      async rest() {
        for (let n = 0; n < OTHERS; n++) {
          await initialize([service.urlOf("empty")]);
          await service.rest(WARM, 0);
        }
        await restWarm(service);
      },
    }));
  const what = "initialize, a warm session waits: pydantic, after others without";
  return faster(what, { ...sides, times: 12 });
}

/** Sessions of one server begin, one after the other, each when a spare one waits. */
async function popular(service: Service, scale: Scale): Promise<Row> {
  const urls = [service.urlOf("empty")];
  // Until it counts as popular.
  for (let n = 0; n < STARTS; n++) await initialize(urls);
  const before = await service.gauge("berth_spare_hits_total");
  const sides = await withSource(
    emptyServer(),
    (path) => compare(scale, { urls, path, rest: () => restWarm(service, 1) }),
  );
  const hits = await service.gauge("berth_spare_hits_total") - before;
  if (hits <= scale.rounds) throw new Error(`Only ${hits} sessions were spare ones`);
  const what = "initialize, popular server (a spare session waits)";
  return faster(what, { ...sides, times: 25 });
}

async function together(service: Service, scale: Scale): Promise<Row[]> {
  const many = Array.from({ length: 16 }, (_, n) => service.urlOf(`server-${n % 10}`));
  const same = many.map(() => service.urlOf("server-0"));
  const rows: Row[] = [];
  for (
    const [what, urls, times] of [
      ["16 sessions at once, of 10 servers, each", many, 2],
      ["16 sessions at once, of one server, each", same, 5],
    ] as const
  ) {
    const sides = await withSource(
      emptyServer(),
      (path) =>
        compare({ ...scale, rounds: Math.ceil(scale.rounds / 3) }, {
          urls,
          path,
          rest: () => restWarm(service),
        }),
    );
    rows.push(faster(what, { ...sides, times }));
  }
  return rows;
}

/** Servers `server-0` to `server-9`, with one empty tool each. */
export function tenServers(): Record<string, string> {
  const names = Array.from({ length: 10 }, (_, n) => `server-${n}`);
  return Object.fromEntries(names.map((name) => [name, emptyServer()]));
}

export const initializeBar: Bar = {
  name: "initialize",
  async measure(scale) {
    const servers = Object.fromEntries(
      Object.entries(IMPORTS).map(([name, imports]) => [name, emptyServer(imports)]),
    );
    const rows = [];
    {
      await using service = await startService(servers);
      rows.push(await popular(service, scale));
    }
    await using service = await startService(servers, { ...NO_SPARES, IMAGES_MB: "1024" });
    await imagesMade(service);
    return [...rows, ...await single(service, scale), await unlikely(service, scale)];
  },
};

export const togetherBar: Bar = {
  name: "together",
  async measure(scale) {
    await using service = await startService(tenServers(), NO_SPARES);
    return await together(service, scale);
  },
};

export const coldBar: Bar = {
  name: "cold",
  async measure(scale) {
    await using service = await startService({ empty: emptyServer() }, {
      WARM_SESSIONS: "0",
      ...NO_SPARES,
    });
    async function rest() {
      await service.rest(0);
      while (await service.gauge("berth_session_hosts") > 0) await pause(50);
    }
    const sides = await withSource(
      emptyServer(),
      (path) => compare(scale, { urls: [service.urlOf("empty")], path, rest }),
    );
    return [faster("initialize, no warm host at all", { ...sides, times: 1 })];
  },
};
