/**
 * The wheels of a lock file: from the cache, else from Pyodide's distribution, else from the Python
 * package index. Whatever the way, only bytes with an accepted digest are kept.
 *
 * @module
 */
import { writeWhole } from "../files.ts";
import { SetupError, sha256 } from "./files.ts";
import { isWheelOf, type Requirement } from "./requirements.ts";

/** How programs are run; given so that tests can stand in for them. */
export interface WheelSources {
  /** Fills `folder` from Pyodide's distribution. */
  distribution(folder: string, requirements: Requirement[]): Promise<ProgramOutcome>;
  /** Fills `folder` from the Python package index. */
  index(folder: string, requirements: Requirement[], lockFile: string): Promise<ProgramOutcome>;
}

/** Whether a program did its work; `output` is the last of what it wrote. */
export interface ProgramOutcome {
  ok: boolean;
  output: string;
}

const DISTRIBUTION_TIMEOUT_MS = 10_000;
const INDEX_TIMEOUT_MS = 300_000;
const OUTPUT_KEPT = 1500;
const PIPS = [["python3", "-m", "pip"], ["pip3"], ["pip"], ["python", "-m", "pip"]];

async function run(command: string, args: string[], timeoutMs: number): Promise<ProgramOutcome> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(command, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(timeoutMs),
    }).output();
    const decoder = new TextDecoder();
    const output = `${decoder.decode(stdout)}${decoder.decode(stderr)}`.trim().slice(-OUTPUT_KEPT);
    return { ok: success, output };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return { ok: false, output: `${command} is not installed` };
    }
    return { ok: false, output: String(error) };
  }
}

/** The real programs: Pyodide's loader in a Deno process, and pip. */
export const WHEEL_SOURCES: WheelSources = {
  distribution(folder, requirements) {
    const script = new URL("./distribution.ts", import.meta.url).href;
    const names = requirements.map(({ name, version }) => `${name}==${version}`);
    return run(
      Deno.execPath(),
      ["run", "--quiet", "--no-prompt", "-A", script, folder, ...names],
      DISTRIBUTION_TIMEOUT_MS,
    );
  },
  async index(folder, _requirements, lockFile) {
    let last: ProgramOutcome = { ok: false, output: "" };
    for (const [command, ...args] of PIPS) {
      last = await run(command!, [
        ...args,
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        // The interpreter's platform is not the one pip runs on. Wheels of the second are taken for
        // packages that work without their compiled part; the digests say which.
        "--only-binary=:all:",
        "--platform=pyemscripten_2026_0_wasm32",
        "--platform=manylinux2014_x86_64",
        "--implementation=cp",
        "--abi=cp314",
        "--python-version=3.14",
        `--dest=${folder}`,
        `--requirement=${lockFile}`,
      ], INDEX_TIMEOUT_MS);
      if (last.ok) return last;
    }
    return last;
  },
};

/** Where the wheels of `requirements` are in `folder`, by package: those with an accepted digest. */
export async function findWheels(
  folder: string,
  requirements: Requirement[],
): Promise<Map<string, string>> {
  const files = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name);
  const found = new Map<string, string>();
  for (const requirement of requirements) {
    for (const file of files.filter((name) => isWheelOf(requirement, name))) {
      const digest = await sha256(await Deno.readFile(`${folder}/${file}`));
      if (requirement.digests.includes(digest)) found.set(requirement.name, file);
    }
  }
  return found;
}

/** The packages that `folder` holds no accepted wheel of. */
async function missingIn(folder: string, requirements: Requirement[]): Promise<Requirement[]> {
  const found = await findWheels(folder, requirements);
  return requirements.filter((requirement) => !found.has(requirement.name));
}

/** Copies the wheels with an accepted digest from `source` to `cache`. */
async function keep(source: string, cache: string, wanted: Requirement[]): Promise<void> {
  for (const file of (await findWheels(source, wanted)).values()) {
    await writeWhole(`${cache}/${file}`, await Deno.readFile(`${source}/${file}`), { mode: 0o644 });
  }
}

/** Removes what an interrupted setup left in the cache. */
async function tidy(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    if (name.startsWith(".fetch-") || name.endsWith(".new")) {
      await Deno.remove(`${cache}/${name}`, { recursive: true });
    }
  }
}

const LOOK_MS = 500;

/** Tells how many wheels are in `folder`, as they come, while `work` fills it. */
async function whileCounting<T>(
  folder: string,
  tell: (done: number) => void,
  work: Promise<T>,
): Promise<T> {
  let last = 0;
  async function count(): Promise<void> {
    const files = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
    const done = files.filter(({ name }) => name.endsWith(".whl")).length;
    if (done > last) tell(done);
    last = Math.max(last, done);
  }
  const timer = setInterval(() => void count(), LOOK_MS);
  try {
    const result = await work;
    await count();
    return result;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Fills the folder `cache` with the wheels of `requirements`.
 *
 * @throws {SetupError} When neither way gives all of them.
 */
export async function fetchWheels(
  sources: WheelSources,
  input: { cache: string; requirements: Requirement[]; lockFile: string },
  log: (line: string) => void,
  progress: (done: number, of: number) => void = () => {},
): Promise<void> {
  await Deno.mkdir(input.cache, { recursive: true });
  await tidy(input.cache);
  const faults: string[] = [];
  for (const way of ["distribution", "index"] as const) {
    const missing = await missingIn(input.cache, input.requirements);
    if (missing.length === 0) return;
    const from = way === "index" ? "the Python package index" : "Pyodide's distribution";
    const count = missing.length === 1 ? missing[0]!.name : `${missing.length} packages`;
    log(`fetching ${count} from ${from}`);
    const folder = await Deno.makeTempDir({ dir: input.cache, prefix: ".fetch-" });
    try {
      const outcome = await whileCounting(folder, (done) => {
        progress(Math.min(done, missing.length), missing.length);
      }, sources[way](folder, missing, input.lockFile));
      await keep(folder, input.cache, missing);
      faults.push(`${from}: ${outcome.output || "returned files with unexpected digests"}`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
  const missing = await missingIn(input.cache, input.requirements);
  if (missing.length === 0) return;
  const names = missing.map((requirement) => `${requirement.name} ${requirement.version}`).join(
    ", ",
  );
  throw new SetupError(
    `Cannot fetch ${names}. Install Python with pip and allow it to reach a package index, or ` +
      `put the wheels into ${input.cache}. Attempts:\n${faults.join("\n")}`,
  );
}
