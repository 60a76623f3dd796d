/**
 * A rolling upgrade: a former version, from the history of this repository, beside the present one, on
 * a database that the present one has migrated.
 */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { until } from "../helpers/interpreter.ts";
import { type Cluster, type ClusterNode, registration, startCluster } from "../helpers/cluster.ts";

const LIST = { id: 1, method: "tools/list" };
const DATABASE = Deno.env.get("TEST_DATABASE_URL");

/**
 * The version that must still work. To be moved on where a migration says that it breaks former
 * versions, and with each release.
 */
const FORMER = "f14d7ac32226845dbbbb73760531efb683c7b4c8";

async function git(...args: string[]): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args,
      cwd: ROOT,
      stderr: "null",
    }).output();
    return success ? stdout : null;
  } catch {
    // There is no Git.
    return null;
  }
}

const hasFormer = await git("cat-file", "-e", `${FORMER}^{commit}`) !== null;

/** A folder with the former version, whose packages are those of this one. */
async function unpackFormer(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "berth-former-" });
  const archive = await git("archive", FORMER, "main.ts", "deno.json", "src", "workers");
  const tar = new Deno.Command("tar", { args: ["-x"], cwd: folder, stdin: "piped" }).spawn();
  await new Blob([archive!]).stream().pipeTo(tar.stdin);
  await tar.status;
  const path = `${folder}/deno.json`;
  const { links: _, ...config } = JSON.parse(await Deno.readTextFile(path));
  delete config.imports["@std/assert"];
  await Deno.writeTextFile(path, JSON.stringify({ ...config, nodeModulesDir: "manual" }));
  // No link to the folder: processes that analyse may read no other folder than their own.
  const packages = new URL("node_modules", ROOT).pathname;
  for (const how of ["-al", "-a"]) {
    const args = [how, packages, `${folder}/node_modules`];
    if ((await new Deno.Command("cp", { args, stderr: "null" }).output()).success) return folder;
    await Deno.remove(`${folder}/node_modules`, { recursive: true }).catch(() => {});
  }
  throw new Error("The packages could not be copied");
}

/** Reads, writes and publishes at `node`; what it did is seen at `other`. */
async function walk(
  cluster: Cluster,
  [node, other]: [ClusterNode, ClusterNode],
  name: string,
): Promise<void> {
  const [here, there] = [node, other].map(({ apiUrl }) => registryClient(apiUrl, cluster.mint));
  assertEquals((await here!("GET", "/servers/notes")).body.server.name, "notes");
  const body = { description: `Written by the ${name}` };
  const put = await here!("PUT", "/servers/notes", { user: "ada", body });
  assertEquals(put.status, 200, JSON.stringify(put.body));
  const read = await there!("GET", "/servers/notes");
  assertEquals(read.body.server.description, body.description);
  const created = await here!("POST", "/servers", {
    user: "ada",
    body: { ...registration("notes"), name: `notes-${name}` },
  });
  assertEquals(created.status, 201, JSON.stringify(created.body));
  const { status, errors, ...report } = created.body.server.security_report;
  assertEquals(status, "passed", JSON.stringify({ errors, report }).slice(0, 4000));
  for (const path of [`/servers/notes-${name}`, "/servers", "/audit", "/auth/me"]) {
    const { status, body } = await there!("GET", path, { user: "ada" });
    assertEquals(status, path === "/audit" ? 403 : 200, JSON.stringify(body));
  }
  const target = { server: `notes-${name}`, session: `listed-${name}` };
  await until(async () => {
    const { status, body } = await sendMessage(other.workerUrl, target, LIST);
    // A busy machine.
    if (status === 503) return false;
    assertEquals(body.result?.tools.length, 2, JSON.stringify(body));
    return true;
  });
}

Deno.test({
  name: hasFormer
    ? "a former version works beside this one on the database of this one, and they share sessions"
    : "a former version is not tried where a checkout has no history (git fetch --unshallow)",
  ignore: DATABASE === undefined,
  async fn() {
    if (!hasFormer) {
      const shallow = await git("rev-parse", "--is-shallow-repository");
      return assert(shallow === null || new TextDecoder().decode(shallow) === "true\n", FORMER);
    }
    const folder = await unpackFormer();
    try {
      await using cluster = await startCluster(1, { NODE_LEASE_SECONDS: "30" });
      const [present] = cluster.nodes as [ClusterNode];
      const former = await cluster.add({}, { root: folder });
      await walk(cluster, [former, present], "former");
      await walk(cluster, [present, former], "present");
      for (const [begun, other] of [[former, present], [present, former]] as const) {
        const session = crypto.randomUUID();
        assertEquals(cluster.notesOf(await cluster.note(begun.workerUrl, session, "a")), "a");
        assertEquals(cluster.notesOf(await cluster.note(other.workerUrl, session, "b")), "a,b");
        assertEquals(cluster.notesOf(await cluster.note(begun.workerUrl, session, "c")), "a,b,c");
      }
      // The upgrade is over: what the former one held goes on here, or is said to be over, where its
      // interpreter was another.
      const session = crypto.randomUUID();
      assertEquals(cluster.notesOf(await cluster.note(former.workerUrl, session, "a")), "a");
      assertEquals(await former.stop(), 0, former.log());
      const answer = await cluster.note(present.workerUrl, session, "b");
      if (answer.status !== 404) assertEquals(cluster.notesOf(answer), "a,b");
      const next = crypto.randomUUID();
      assertEquals(cluster.notesOf(await cluster.note(present.workerUrl, next, "a")), "a");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
