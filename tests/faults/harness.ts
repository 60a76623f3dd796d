/**
 * A Berth with a database of its own that is used all the time, whatever befalls it. Its users know
 * what they were told, and find out whether that stays true:
 *
 * - a change that was acknowledged is there, once, with its entry in the audit log;
 * - what is read is never older than what was acknowledged before it was asked for;
 * - a session knows each call that it has answered, in order, and none twice;
 * - what fails, fails with 503 and says when to try again;
 * - {@link RECOVERY_MS} after a fault has passed, everything works, and nobody did anything for it.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { type JsonAnswer, registryClient } from "../helpers/clients.ts";
import { mainOf, NOTES_SOURCE, registration } from "../helpers/cluster.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { type OwnPostgres, postgresPrograms, startOwnPostgres } from "../helpers/own_postgres.ts";
import { openWay, type TcpWay, wayTo } from "../helpers/tcp_way.ts";
import { EXAMPLE_OWNER, startWorld, type World } from "../helpers/world.ts";
import { type Allowed, startUsers, type Users } from "./users.ts";

/** Where PostgreSQL's programs are; null: these tests cannot run. */
export const PROGRAMS: string | null = await postgresPrograms();
if (PROGRAMS === null && Deno.env.get("CI") === "true") {
  throw new Error("PostgreSQL's programs must be installed when CI is true");
}

/** Whether faults last as long as they may in practice (`FAULTS=long`), not as short as will do. */
export const LONG: boolean = Deno.env.get("FAULTS") === "long";

/** So soon after a fault has passed everything must work; other tests may keep the machine busy. */
export const RECOVERY_MS: number = LONG ? 15_000 : 60_000;

/** The Berth that suffers. */
export interface Installation extends AsyncDisposable {
  world: World;
  /** The database that there is. */
  readonly postgres: OwnPostgres;
  /** Has another take its place, to which the way leads from now on. */
  follow(next: OwnPostgres): void;
  /** Berth's way to the database. */
  way: TcpWay;
  /** Its ways to the services that were named. */
  ways: TcpWay[];
  dataDir: string;
  /** The run that there is. */
  berth(): BerthProcess & { mainPid: number };
  /** Starts a run after one has ended; `more` adds to its environment. */
  start(more?: Record<string, string>): Promise<void>;
  /** Calls the registry as `ada`. */
  registry(method: string, path: string, body?: unknown): Promise<JsonAnswer>;
  /** Has `fault` happen and pass while users go on, and checks all of the above. */
  suffer(fault: (users: Users) => Promise<void>, allowed?: Allowed): Promise<void>;
}

/** The end of a log, in short lines. */
function storyOf(log: string): string {
  return log.split("\n").slice(-40).map((line) => line.slice(0, 300)).join("\n");
}

/** All that the users were told, compared with what the database has. */
async function checkKept(postgres: OwnPostgres, { acknowledged }: Users): Promise<void> {
  const rows = await postgres.ask<{ id: string; count: number }>(
    `select request_id as id, count(*)::int as count from audit_log
     where action = 'server.update' group by 1`,
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  for (const { requestId } of acknowledged) assertEquals(counts.get(requestId), 1, requestId);
}

/** What is not as it usually is. */
export interface InstallationOptions {
  environment?: Record<string, string>;
  /** Variables that name services of the world, to which ways lead. */
  ways?: string[];
}

/** Starts one, with `notes` registered and used. */
export async function startInstallation(
  { environment = {}, ways: names = [] }: InstallationOptions = {},
): Promise<Installation> {
  const stack = new AsyncDisposableStack();
  const world = await startWorld(undefined, [
    { owner: EXAMPLE_OWNER, name: "notes", files: { "server.py": NOTES_SOURCE } },
  ]);
  stack.defer(() => world.close());
  let postgres = stack.use(await startOwnPostgres(PROGRAMS!));
  const way = stack.use(await openWay({ host: "127.0.0.1", port: postgres.port }));
  const services: Record<string, string> = {
    ...world.environment,
    OIDC_JWKS_URL: world.issuer.jwksUrl,
  };
  const ways: TcpWay[] = [];
  for (const name of names) {
    const { way, url } = await wayTo(services[name]!);
    services[name] = url;
    ways.push(stack.use(way));
  }
  const dataDir = await preparedDataDir();
  stack.defer(() => Deno.remove(dataDir, { recursive: true }));
  let berth: BerthProcess & { mainPid: number };
  async function start(more: Record<string, string> = {}) {
    const run = await startBerthProcess({
      dataDir,
      environment: {
        ...services,
        DATABASE_URL: postgres.urlBy(way.port),
        INTERPRETER_PROFILE: "full",
        BUILD_POLICY: "off",
        WARM_SESSIONS: "1",
        SPARE_SESSIONS: "0",
        CALLS_PER_MINUTE: "1000000",
        SESSIONS_PER_CLIENT: "200",
        SCANS_PER_HOUR: "1000",
        ...environment,
        ...more,
      },
    });
    berth = { ...run, mainPid: await mainOf(run.pid) };
  }
  const registry = (method: string, path: string, body?: unknown) =>
    registryClient(berth.apiUrl, world.issuer.mint)(method, path, {
      user: "ada",
      ...(body === undefined ? {} : { body }),
    });
  await start();
  stack.defer(async () => {
    way.mend();
    await berth.stop();
  });
  assertEquals((await registry("POST", "/servers", registration("notes"))).status, 201);
  return {
    world,
    get postgres() {
      return postgres;
    },
    follow(next) {
      postgres = stack.use(next);
      way.turn({ host: "127.0.0.1", port: next.port });
    },
    way,
    ways,
    dataDir,
    berth: () => berth,
    start,
    registry,
    async suffer(fault, allowed = {}) {
      await using users = await startUsers({
        berth: () => berth,
        mint: world.issuer.mint,
        allowed,
      });
      try {
        await users.served();
        await fault(users);
        const passed = performance.now();
        await users.served();
        const ready = `${berth.registryUrl}/readyz`;
        while (!(await fetch(ready).then((response) => response.ok, () => false))) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        const ms = Math.round(performance.now() - passed);
        assert(ms < RECOVERY_MS, `It took ${ms} ms to recover`);
        await users.stop();
        await checkKept(postgres, users);
      } catch (error) {
        throw new Error(storyOf(berth.log()), { cause: error });
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
