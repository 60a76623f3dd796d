/** The wheels that the interpreter's HTTP needs. */
const WHEELS = [
  "requests==2.33.1",
  "urllib3==2.6.3",
  "idna==3.11",
  "certifi==2026.4.22",
  "charset-normalizer==3.4.7",
];

async function names(folder: URL): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The bytes of `requests` and what it needs, fetched once a machine. */
export async function wheelFiles(): Promise<Uint8Array[]> {
  const folder = new URL("../../../.data/test-wheels/", import.meta.url);
  if ((await names(folder)).length < WHEELS.length) {
    const { success } = await new Deno.Command("python3", {
      args: ["-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--platform=any"]
        .concat(["--python-version=3.13", "--implementation=py", "--abi=none"])
        .concat(["-d", folder.pathname, ...WHEELS]),
    }).output();
    if (!success) throw new Error("Cannot download the wheels of requests with pip");
  }
  return await Promise.all(
    (await names(folder)).map((name) => Deno.readFile(new URL(name, folder))),
  );
}
