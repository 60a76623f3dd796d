/**
 * `berth doctor`: checks the setup and suggests fixes.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { send } from "../client/http.ts";
import { CliError, EXIT, type ExitCode } from "../failure.ts";
import { isInstalled, knownClients } from "../mcp_clients/clients.ts";
import { oneLine } from "../output/terminal_text.ts";
import { accessTo } from "../sign_in/access.ts";
import { readCredential } from "../sign_in/credentials.ts";
import { fetchProfile } from "../sign_in/profile.ts";
import { describeIssuer } from "../sign_in/service.ts";
import { chooseRegistry } from "../settings/settings.ts";
import { configPath, credentialsPath } from "../settings/paths.ts";
import { VERSION } from "../version.ts";
import { pathFolders } from "./self_install.ts";

type State = "ok" | "note" | "bad";

interface Finding {
  name: string;
  state: State;
  text: string;
  /** What to do. */
  fix?: string;
}

type Check = (cli: Cli) => Promise<Omit<Finding, "name">>;

/** Milliseconds that clocks may differ: tokens count to the second, with a little leeway. */
const MAX_SKEW_MS = 5000;
const MAX_MODE = 0o077;

const CHECKS: [string, Check][] = [
  ["berth", async (cli) => {
    const name = cli.context.os === "windows" ? "berth.cmd" : "berth";
    const places = await Promise.all(
      pathFolders(cli.context).map((folder) => Deno.lstat(`${folder}/${name}`).catch(() => null)),
    );
    const text = `${VERSION}, Deno ${Deno.version.deno}`;
    return places.some((place) => place !== null)
      ? { state: "ok", text }
      : { state: "note", text: `${text}; not on PATH`, fix: "deno task install" };
  }],
  ["configuration", async (cli) => {
    const { url, source } = await chooseRegistry(cli.context, cli.options.registry);
    return { state: "ok", text: `${url} (${source}); ${configPath(cli.context)}` };
  }],
  ["registry", async (cli) => {
    const { version } = await cli.service();
    return { state: "ok", text: `version ${oneLine(version, 40)}` };
  }],
  ["clock", async (cli) => {
    const url = `${await cli.registry()}/healthz`;
    const before = cli.context.now();
    const response = await send(cli.context, url, { what: "The registry", cache: "no-store" });
    await response.body?.cancel();
    const after = cli.context.now();
    const theirs = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(theirs)) return { state: "note", text: "the registry did not send its time" };
    // It told the time at some moment between the two, to the second.
    const ahead = before - theirs - 1000;
    const behind = theirs - after;
    const skew = Math.max(ahead, behind);
    if (skew <= MAX_SKEW_MS) return { state: "ok", text: "in sync with the registry" };
    const text = `${Math.round(skew / 1000)} s ${skew === ahead ? "ahead of" : "behind"}`;
    return {
      state: "bad",
      text: `${text} the registry`,
      fix: "Correct the clock of this machine or of the registry",
    };
  }],
  ["execution", async (cli) => {
    const { mcp_url } = await cli.service();
    const url = new URL("healthz", mcp_url).href;
    const response = await send(cli.context, url, { what: "The execution endpoint" });
    await response.body?.cancel();
    return response.ok ? { state: "ok", text: mcp_url } : {
      state: "bad",
      text: `${mcp_url} returned status ${response.status}`,
      fix: "Contact its operator",
    };
  }],
  ["identity", async (cli) => {
    const { sign_in } = await cli.service();
    if (sign_in === null) return { state: "note", text: "sign-in is not configured" };
    const { issuer, client_id } = sign_in;
    // A provider at which terminals have no client need not describe itself to them.
    const signsIn = client_id !== null &&
      (await describeIssuer(cli.context, issuer)).device_authorization_endpoint !== undefined;
    return signsIn ? { state: "ok", text: issuer } : {
      state: "note",
      text: `${issuer} does not support sign-in from a terminal`,
      fix: "Sign in with an existing token: berth login --token-stdin",
    };
  }],
  ["sign-in", async (cli) => {
    const registry = await cli.registry();
    const access = await accessTo(cli.context, registry);
    if (access === null) return { state: "note", text: "not signed in", fix: "berth login" };
    const profile = await fetchProfile(cli.context, registry, access.token);
    const from = access.source === "environment" ? " (BERTH_TOKEN)" : "";
    return profile === null
      ? { state: "bad", text: `the token${from} is not valid`, fix: "berth login" }
      : { state: "ok", text: `${oneLine(profile.username)}${from}` };
  }],
  ["credentials", async (cli) => {
    const path = credentialsPath(cli.context);
    await readCredential(cli.context, await cli.registry());
    const info = await Deno.stat(path).catch(() => null);
    const open = info !== null && ((info.mode ?? 0) & MAX_MODE) !== 0;
    return open
      ? { state: "bad", text: `others can read ${path}`, fix: `chmod 600 ${path}` }
      : { state: "ok", text: info === null ? "none" : path };
  }],
  ["clients", async (cli) => {
    const known = knownClients(cli.context);
    const installed = await Promise.all(known.map(isInstalled));
    const labels = known.filter((_, index) => installed[index]).map(({ label }) => label);
    return labels.length > 0
      ? { state: "ok", text: labels.join(", ") }
      : { state: "note", text: "no MCP client found" };
  }],
];

/** Checks that are skipped when the registry itself does not respond. */
const NEED_REGISTRY = ["clock", "execution", "identity", "sign-in"];
const NO_REGISTRY: Omit<Finding, "name"> = {
  state: "note",
  text: "skipped: the registry did not respond",
};

async function runCheck(cli: Cli, name: string, check: Check): Promise<Finding> {
  try {
    return { name, ...await check(cli) };
  } catch (error) {
    const text = oneLine(error instanceof Error ? error.message : String(error), 300);
    const known = error instanceof CliError ? error : null;
    // The hint of other commands would be this one.
    const hint = known?.exit !== EXIT.unreachable
      ? known?.hint ?? null
      : name === "registry"
      ? "Start it, or choose another: berth config set registry URL"
      : "Try again in a moment, or contact its operator";
    return { name, state: "bad", text, ...(hint === null ? {} : { fix: hint }) };
  }
}

/** Checks everything that commands need. @returns 1 when something is wrong. */
export async function doctor(cli: Cli): Promise<ExitCode> {
  const findings: Finding[] = [];
  for (const [name, check] of CHECKS) {
    const isAlone = findings.some((one) => one.name === "registry" && one.state === "bad");
    const isMoot = isAlone && NEED_REGISTRY.includes(name);
    findings.push(isMoot ? { name, ...NO_REGISTRY } : await runCheck(cli, name, check));
  }
  const { green, yellow, red, dim } = cli.output.style;
  const marks: Record<State, string> = { ok: green("✓"), note: yellow("–"), bad: red("✗") };
  cli.output.data(
    { checks: findings },
    () =>
      findings.map(({ name, state, text, fix }) =>
        `${marks[state]} ${name.padEnd(13)} ${text}\n` +
        (fix === undefined ? "" : `  ${dim(`${" ".repeat(14)}${fix}`)}\n`)
      ).join(""),
  );
  return findings.some(({ state }) => state === "bad") ? EXIT.failure : EXIT.ok;
}
