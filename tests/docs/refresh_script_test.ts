/** The script of docs/tokens.md, run as it stands there. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const GUIDE = new URL("../../docs/tokens.md", import.meta.url);

/** The guide's script. */
async function scriptOf(): Promise<string> {
  const guide = await Deno.readTextFile(GUIDE);
  const [, script] = /## Refreshing\n[^]*?```ts\n([^]*?)```/.exec(guide) ?? [];
  assert(script !== undefined, "Expected a script under Refreshing");
  return script;
}

/** Tells how long the script waits, and has nobody wait for it. */
const HASTY = `const wait = globalThis.setTimeout;
globalThis.setTimeout = ((work: () => void, ms: number) => {
  console.log(ms);
  return wait(work, 0);
}) as typeof setTimeout;
`;

/** A provider whose refresh tokens work once; `answers` come in turn. */
function startProvider(answers: (() => Response)[]) {
  const asked: Record<string, string>[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/.well-known/openid-configuration") {
        return Response.json({ token_endpoint: `${url}/token` });
      }
      asked.push(Object.fromEntries(new URLSearchParams(await request.text())));
      return answers.shift()?.() ?? Response.json({ error: "invalid_grant" }, { status: 400 });
    },
  );
  const url: string = `http://127.0.0.1:${server.addr.port}`;
  return { url, asked, close: () => server.shutdown() };
}

/** Runs Deno in `folder`. */
async function runDeno(folder: string, args: string[], env: Record<string, string> = {}) {
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env,
    signal: AbortSignal.timeout(600_000),
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { status: code, output: decoder.decode(stdout), error: decoder.decode(stderr) };
}

Deno.test("the guide's script has 20 lines and gets a token 5 minutes before the old one ends", async () => {
  const script = await scriptOf();
  const code = script.trim().split("\n").filter((line) => !line.trim().startsWith("//"));
  assert(code.length <= 22, `It has ${code.length} lines`);
  const folder = await Deno.makeTempDir({ prefix: "berth-test-" });
  // The second answer is due at once: the third shows what a used refresh token leads to.
  const provider = startProvider([
    () => Response.json({ access_token: "a2", refresh_token: "r2", expires_in: 1 }),
  ]);
  try {
    const file = `${folder}/token.json`;
    const first = { access_token: "a1", refresh_token: "r1", expires_in: 3600, scope: "openid" };
    await Deno.writeTextFile(file, JSON.stringify(first), { mode: 0o600 });
    await Deno.writeTextFile(`${folder}/refresh.ts`, script);
    await Deno.writeTextFile(`${folder}/hasty.ts`, HASTY);
    const checked = await runDeno(folder, ["check", "--no-config", "refresh.ts"]);
    assertEquals(checked.status, 0, checked.error);
    const tenMinutesAgo = Date.now() / 1000 - 600;
    await Deno.utime(file, tenMinutesAgo, tenMinutesAgo);
    const { status, output, error } = await runDeno(folder, [
      ...["run", "--no-check", "--no-config", "--no-prompt", "--preload=./hasty.ts"],
      ...["--allow-env", "--allow-net", "--allow-read", "--allow-write", "refresh.ts"],
    ], { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: "berth-cli" });
    assertEquals(status, 1, error);
    assertStringIncludes(error, "Sign in again");
    assertEquals(
      provider.asked,
      ["r1", "r2"].map((refresh_token) => ({
        grant_type: "refresh_token",
        refresh_token,
        client_id: "berth-cli",
      })),
    );
    // Of the sixty minutes ten are over and five remain; the second token is due at once. How slow
    // the machine is, and what is done to its clock, makes less than three minutes.
    const waits = output.trim().split("\n").map(Number);
    assertEquals(waits.length, 2);
    for (const [index, minutes] of [45, 0].entries()) {
      assert(Math.abs(waits[index]! - minutes * 60_000) < 180_000, `It waits ${waits[index]} ms`);
    }
    const now = JSON.parse(await Deno.readTextFile(file));
    assertEquals(now, { ...first, access_token: "a2", refresh_token: "r2", expires_in: 1 });
    const files = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name).sort();
    assertEquals(files, ["hasty.ts", "refresh.ts", "token.json"]);
  } finally {
    await provider.close();
    await Deno.remove(folder, { recursive: true });
  }
});
