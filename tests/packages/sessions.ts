/**
 * Sessions of servers whose packages were resolved from an index on loopback.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import type { PackagesDeps } from "../../src/packages/resolve.ts";
import { type GivenPackages, sessionPackages } from "../../src/packages/session_packages.ts";
import type { Packages } from "../../src/scan/packages_schema.ts";
import { patientAnalysis } from "../helpers/analysis.ts";
import { openTestDatabase, silentLog } from "../helpers/database.ts";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  testInterpreter,
} from "../helpers/interpreter.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { testPackageFiles } from "../helpers/own_packages.ts";
import { withIndex } from "./harness.ts";

/** What else there is to a resolution. */
export interface Circumstances {
  /** Happens between publication and session. */
  before?: (sql: Sql) => Promise<unknown>;
  deps?: Partial<PackagesDeps>;
}

/** Resolves `requirements` in real processes, and gives what sessions get of it. */
export async function givenPackages(
  packages: readonly TestPackage[],
  requirements: string,
  { before = () => Promise.resolve(), deps = {} }: Circumstances = {},
): Promise<{ given: GivenPackages; resolved: Packages }> {
  const database = await openTestDatabase();
  const analysis = patientAnalysis();
  let result: { given: GivenPackages; resolved: Packages } | undefined;
  try {
    await withIndex(database.sql, packages, async ({ resolve }) => {
      const resolved = await resolve({ "main.py": "", "requirements.txt": requirements }, {
        entrypoint: "main.py",
      });
      const { folder } = await testInterpreter();
      await before(database.sql);
      const given = await sessionPackages(
        { sql: database.sql, packageFiles: testPackageFiles(folder), log: silentLog },
        resolved.resolved,
      );
      result = { given, resolved };
    }, { analysis, deps });
  } finally {
    await analysis.close();
    await database.close();
  }
  return result!;
}

/** Resolves, and calls the tool `run` of a session that has the packages. */
export async function runWith(
  packages: readonly TestPackage[],
  requirements: string,
  body: string,
  circumstances?: Circumstances,
): Promise<{ said: string; resolved: Packages }> {
  const { given, resolved } = await givenPackages(packages, requirements, circumstances);
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(server(body), { packages: given }));
  const said = session.load.kind === "loaded"
    ? await callTool(session, "run")
    : JSON.stringify(session.load);
  await session.close();
  return { said, resolved };
}
