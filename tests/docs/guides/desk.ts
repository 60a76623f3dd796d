/**
 * Where the guides are tried: a Berth with its own issuer, payments and the example servers, two
 * people with accounts, and a shell in which `http://127.0.0.1:8000` means that Berth.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type BerthProcess, ROOT, startBerthProcess } from "../../helpers/berth_process.ts";
import { type Browser, createBrowser, type Page } from "../../helpers/browser.ts";
import { denoFolder, runBerth } from "../../helpers/cli_process.ts";
import { preparedDataDir } from "../../helpers/data_dir.ts";
import { startWorld, type World } from "../../helpers/world.ts";

const PASSWORD = "correct horse battery";
/** Programs that the guides' shell blocks use; without one of them the guides are not tried. */
export const PROGRAMS = ["bash", "curl", "jq", "openssl", "git"];

/** How a block ended. */
export interface Shown {
  /** Standard output, with the addresses that the guides have. */
  out: string;
  err: string;
}

/** How to run a block. */
export interface ShellOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Called once with what it has written to standard output and error so far, until it is true. */
  watch?: (shown: string) => Promise<boolean>;
}

/** Everything a guide's reader has. */
export interface Desk {
  world: World;
  berth: BerthProcess;
  /** Home folder of the shell. */
  home: string;
  /** API tokens of people who have signed up; the first of them is an administrator. */
  tokens: Record<"ada" | "joan", string>;
  /** Runs `code` with `bash -euo pipefail`; @throws {Error} With all it wrote when it fails. */
  shell(code: string, options?: ShellOptions): Promise<Shown>;
  /** The JSON that a `curl -s` of `code` printed. */
  // deno-lint-ignore no-explicit-any
  json(code: string, options?: ShellOptions): Promise<any>;
  /** Makes an account. */
  signUp(username: string): Promise<void>;
  /** Confirms a sign-in at `address` as `username`. */
  confirm(address: string, username: string, code?: string): Promise<void>;
  close(): Promise<void>;
}

/** Whether each of {@link PROGRAMS} is on the path. */
export function hasPrograms(): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return PROGRAMS.every((program) =>
    folders.some((folder) => {
      try {
        return Deno.statSync(`${folder}/${program}`).isFile;
      } catch {
        return false;
      }
    })
  );
}

/** A shell whose home is `home`, in which `addresses` (in the guides → real) are replaced. */
export function shellIn(
  home: string,
  addresses: Record<string, string>,
  always: Record<string, string>,
): Desk["shell"] {
  return async (code, options = {}) => {
    let real = code;
    for (const [shown, is] of Object.entries(addresses)) real = real.replaceAll(shown, is);
    const child = new Deno.Command("bash", {
      args: ["-euo", "pipefail", "-c", real],
      cwd: options.cwd ?? home,
      clearEnv: true,
      env: {
        PATH: `${home}/.local/bin:${Deno.env.get("PATH")}`,
        HOME: home,
        DENO_DIR: denoFolder(),
        NO_COLOR: "1",
        ...always,
        ...options.env,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
    await writer.close().catch(() => {});
    const seen = { out: "", err: "" };
    let watched = options.watch === undefined;
    async function read(stream: ReadableStream<Uint8Array>, name: "out" | "err") {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
        seen[name] += chunk;
        if (!watched) watched = await options.watch!(seen.out + seen.err);
      }
    }
    await Promise.all([read(child.stdout, "out"), read(child.stderr, "err")]);
    const { code: status } = await child.status;
    if (status !== 0) throw new Error(`Exit ${status} of\n${real}\n${seen.out}\n${seen.err}`);
    const shown = (text: string) =>
      Object.entries(addresses).reduce((all, [name, is]) => all.replaceAll(is, name), text);
    return { out: shown(seen.out), err: shown(seen.err) };
  };
}

async function read(page: Page): Promise<{ url: URL; html: string }> {
  const html = await page.response.text();
  assert(page.response.status < 400, `${page.url} ${html}`);
  return { url: page.url, html };
}

/** The newest link on the operator's terminal whose path is `path`, once there are `more`. */
async function linkOf(berth: BerthProcess, path: string, more: number): Promise<string> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    const links = linksIn(berth, path);
    if (links.length > more) return links.at(-1)!;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No link to ${path}:\n${berth.log()}`);
}

function linksIn(berth: BerthProcess, path: string): string[] {
  return berth.log().match(new RegExp(`http:\\S+/oidc/${path}\\?token=[\\w.~-]+`, "g")) ?? [];
}

async function signUpAt(berth: BerthProcess, username: string): Promise<void> {
  const browser = createBrowser();
  const before = linksIn(berth, "verify").length;
  const ask = await read(await browser.open(`${berth.registryUrl}/oidc/sign-up`));
  await read(await browser.submit(ask, { email: `${username}@example.com` }));
  const choose = await read(await browser.open(await linkOf(berth, "verify", before)));
  await read(await browser.submit(choose, { password: PASSWORD, repeated: PASSWORD }));
}

/** Submits every form on the way, as a person would who says yes to all. */
async function consent(
  browser: Browser,
  address: string,
  username: string,
  code?: string,
): Promise<string> {
  let page = await read(await browser.open(address));
  for (let hops = 0; page.html.includes("<form") && hops < 10; hops++) {
    if (page.html.includes("Device connected")) break;
    const fields: Record<string, string> = page.html.includes('name="password"')
      ? { email: `${username}@example.com`, password: PASSWORD }
      : code !== undefined && page.html.includes('id="user_code"')
      ? { user_code: code }
      : {};
    page = await read(await browser.submit(page, fields));
  }
  return page.html;
}

/** A token for the API, by the device flow of the command line. */
async function tokenOf(berth: BerthProcess, username: string): Promise<string> {
  const post = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(`${berth.registryUrl}/oidc${path}`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "berth-cli", ...fields }),
    });
    const body = await answer.json();
    assertEquals(answer.status, 200, JSON.stringify(body));
    return body;
  };
  const device = await post("/device/auth", { scope: "openid email berth" });
  const { verification_uri_complete: address, user_code: code } = device;
  await consent(createBrowser(), address, username, code);
  const { access_token } = await post("/token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: device.device_code,
  });
  return access_token;
}

/** Starts everything; `environment` is added to Berth's. */
export async function openDesk(environment: Record<string, string>): Promise<Desk> {
  const world = await startWorld();
  const { OIDC_ISSUER: _issuer, OIDC_AUDIENCE: _audience, ...around } = world.environment;
  const [dataDir, home] = await Promise.all([
    preparedDataDir(),
    Deno.makeTempDir({ prefix: "berth-test-" }),
  ]);
  const berth = await startBerthProcess({
    dataDir,
    environment: { ...around, WARM_SESSIONS: "1", ...environment },
  });
  async function close() {
    await berth.stop();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
    await Deno.remove(home, { recursive: true });
  }
  try {
    await signUpAt(berth, "ada");
    await signUpAt(berth, "joan");
    const tokens = { ada: await tokenOf(berth, "ada"), joan: await tokenOf(berth, "joan") };
    await consent(createBrowser(), await linkOf(berth, "admin", 0), "ada");
    const installed = await runBerth(["self-install"], { home });
    assertEquals(installed.code, 0, installed.err);
    await Deno.symlink(Deno.execPath(), `${home}/.local/bin/deno`);
    const shell = shellIn(home, {
      "http://127.0.0.1:8000": berth.registryUrl,
      "http://127.0.0.1:8001": berth.workerUrl,
    }, {
      BERTH: berth.registryUrl,
      BERTH_REGISTRY: berth.registryUrl,
      OSV_API_URL: world.advisories.url,
      PACKAGE_INDEX_URL: "none",
      PYODIDE_PACKAGES_URL: "none",
      TOKEN: tokens.ada,
      HERS: tokens.joan,
    });
    return {
      world,
      berth,
      home,
      tokens,
      shell,
      json: async (code, options) => JSON.parse((await shell(code, options)).out),
      signUp: (username) => signUpAt(berth, username),
      confirm: async (address, username, code) => {
        const end = await consent(createBrowser(), address, username, code);
        assert(end.includes("Device connected"), end);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The project's folder, as a path. */
export const PROJECT = ROOT.pathname.replace(/\/$/, "");
