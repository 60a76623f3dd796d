/** @module What docs/cli.md shows, in the order of an author's and a caller's day. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { lastScan } from "./api.ts";
import { checkout } from "./ci.ts";
import { type Desk, PROJECT } from "./desk.ts";
import type { Check } from "./guide.ts";

/** Confirms what `berth login` shows, as `username`. */
function confirming({ confirm }: Desk, username: string) {
  return async (shown: string): Promise<boolean> => {
    const [, address, code] = /Open (\S+)\nand enter (\S+)/.exec(shown) ?? [];
    if (address === undefined) return false;
    await confirm(address, username, code);
    return true;
  };
}

/** README.md's last block: a sign-in from a clone. */
export const README_LOGIN: Check = async ({ code }, desk) => {
  const { err } = await desk.shell(code, { cwd: PROJECT, watch: confirming(desk, "ada") });
  assertStringIncludes(err, "Signed in");
};

function signedIn({ tokens }: Desk) {
  return { BERTH_TOKEN: tokens.ada };
}

/** One for each block, in order. */
export const CLI: Check[] = [
  async ({ code }, desk) => {
    const { out } = await desk.shell(`${code}\ncomplete -p berth`, { env: signedIn(desk) });
    assertStringIncludes(out, "berth");
  },
  async ({ code }, desk) => {
    await desk.signUp("kim");
    const { err } = await desk.shell(code, { watch: confirming(desk, "kim") });
    assertStringIncludes(err, "Signed in");
  },
  async ({ code }, desk) => {
    for (const name of ["token", "another"]) {
      const made = await desk.json(
        `curl -s "$BERTH/api/v1/auth/tokens" -H "Authorization: Bearer $HERS" \\
           -H 'Content-Type: application/json' -d '{"name": "${name}"}'`,
      );
      await Deno.writeTextFile(`${desk.home}/${name}.txt`, made.access_token);
    }
    const { out } = await desk.shell(
      code.replace(
        "revoke ID",
        `revoke "$(berth token list --json | jq -r '.tokens[] | select(.name == "Build server").id')"`,
      ).replace(
        "berth logout --everywhere",
        "berth login --token-stdin < another.txt\nberth logout --everywhere",
      ),
    );
    assertStringIncludes(out, "joan\n");
    assertStringIncludes(out, "Build server");
  },
  async ({ code }, desk) => {
    await desk.signUp("lee");
    await desk.shell("berth login", { watch: confirming(desk, "lee") });
    const confirmed = code.replace("account delete", "account delete --confirm lee");
    const { out } = await desk.shell(`${confirmed}\ncat account.json`);
    assertStringIncludes(out, "lee@example.com");
  },
  async ({ code }, desk) => {
    const id = await lastScan(desk);
    const { out } = await desk.shell(code.replace("weather SCAN", `weather ${id}`));
    for (const shown of ["weather", "acme", "passed"]) assertStringIncludes(out, shown);
  },
  async ({ code }, { shell }) => {
    const { out } = await shell(code, { stdin: "forecast city=Oslo days=3\n" });
    assertStringIncludes(out, "current_weather");
    assertEquals(out.match(/"day"|"date"/g)?.length, 9, out);
  },
  async ({ code }, { shell, home }) => {
    await Deno.mkdir(`${home}/.cursor`, { recursive: true });
    const parts = code.split("\n").filter((line) => line !== "");
    const { out } = await shell(parts.slice(0, 3).join("\n"));
    assertStringIncludes(out, "weather");
    const cursor = await Deno.readTextFile(`${home}/.cursor/mcp.json`);
    assertStringIncludes(cursor, "/mcp?name=weather");
    await shell(parts[3]!);
    assert(!(await Deno.readTextFile(`${home}/.cursor/mcp.json`)).includes("weather"));
  },
  async ({ code }, desk) => {
    const cwd = await checkout(desk, "author");
    const { err } = await desk.shell(code.replace("berth init", "berth init --author acme"), {
      cwd,
      env: signedIn(desk),
    });
    assertStringIncludes(err, "Updated weather 1.2.0");
  },
  async ({ code }, desk) => {
    const yes = code.replace(/^(berth (?:transfer|delete) [^#\n]*?) *(?=#|$)/gm, "$1 --yes ");
    const { err } = await desk.shell(yes, { env: signedIn(desk) });
    assertStringIncludes(err, "weather");
    assertEquals(
      (await desk.shell("curl -s -o gone.json -w '%{http_code}' $BERTH/api/v1/servers/weather"))
        .out,
      "404",
    );
  },
  async ({ code }, desk) => {
    const unanswered = code.replace(/^berth admin (allow|refuse) .*$/gm, "$& || true");
    const { err } = await desk.shell(unanswered, { env: signedIn(desk) });
    assertEquals(err.match(/"warehouse" was not found/g)?.length, 2, err);
  },
];
