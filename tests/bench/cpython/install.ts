/**
 * Virtual environments of CPython with the packages that Berth has resolved for a server.
 *
 * @module
 */
import { createHash } from "node:crypto";

async function run(command: string, args: string[]): Promise<{ ok: boolean; said: string }> {
  const { success, stderr } = await new Deno.Command(command, { args, stdout: "null" }).output();
  return { ok: success, said: new TextDecoder().decode(stderr).slice(-500) };
}

/** `name==version` of a line of the report: `name 1.2.3 (source, …)`. */
function pinned(line: string): string {
  const [name, version] = line.split(" ");
  return `${name}==${version}`;
}

/**
 * Makes a virtual environment below `folder` with packages, as `publish()` reports them; gives the
 * path of its interpreter. One with the same packages is used again. What the exact versions cannot be had for on this
 * platform is installed in the newest.
 *
 * @throws {Error} When it cannot be made.
 */
export async function installed(
  python: string,
  packages: string[],
  folder: string,
): Promise<string> {
  const digest = createHash("sha256").update([python, "requests", ...packages].join("\n")).digest(
    "hex",
  );
  const place = `${folder}/${digest.slice(0, 16)}`;
  const own = `${place}/bin/python`;
  if (await Deno.stat(`${place}/complete`).catch(() => null) !== null) return own;
  const made = await run(python, ["-m", "venv", place]);
  if (!made.ok) throw new Error(`No virtual environment: ${made.said}`);
  const install = (names: string[]) => run(own, ["-m", "pip", "-q", "install", ...names]);
  // What servers may import without asking for it.
  const brought = await install(["requests"]);
  if (!brought.ok) throw new Error(`requests cannot be installed: ${brought.said}`);
  const exact = await install(packages.map(pinned));
  if (!exact.ok) {
    for (const each of packages.map(pinned)) {
      const one = await install([each]);
      const newest = one.ok ? one : await install([each.split("==")[0]!]);
      if (!newest.ok) throw new Error(`${each} cannot be installed: ${newest.said}`);
    }
  }
  await Deno.writeTextFile(`${place}/complete`, exact.ok ? "exact" : exact.said);
  return own;
}
