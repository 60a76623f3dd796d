import { assert, assertEquals } from "@std/assert";
import {
  findControlGroups,
  JOIN_GROUP,
  removeControlGroup,
} from "../../src/sandbox/control_group.ts";

/** A folder with plain files where the kernel would have its own. */
async function hierarchy(own: string, files: string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/own`, `4:memory:/elsewhere\n0::${own}\n`);
  for (const file of files) {
    await Deno.mkdir(`${folder}/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${file}`, "");
  }
  return folder;
}

Deno.test("findControlGroups() takes a group that was delegated, and no other", async () => {
  const service = "system.slice/berth.service";
  const controllers = `root/${service}/cgroup.controllers`;
  const cases: [own: string, files: string[], found: string | null][] = [
    [`/${service}/main`, [controllers], `root/${service}`],
    [`/${service}`, [controllers], null],
    [`/${service}/domain`, [controllers], null],
    ["/", ["root/cgroup.controllers"], null],
    [`/${service}/main`, [], null],
  ];
  for (const [own, files, found] of cases) {
    const folder = await hierarchy(own, files);
    try {
      const given = { root: `${folder}/root`, own: `${folder}/own` };
      assertEquals(
        await findControlGroups(given),
        found === null ? null : `${folder}/${found}`,
        own,
      );
      if (found === null) continue;
      const text = await Deno.readTextFile(`${folder}/${found}/cgroup.subtree_control`);
      assertEquals(text, "+memory +pids\n");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
  assertEquals(await findControlGroups({ root: "/no/such", own: "/no/such" }), null);
});

Deno.test("a host joins a group of its own with its bounds, which goes with it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const script = `${JOIN_GROUP}\nprintf %s $$`;
    const shell = new Deno.Command("/bin/sh", { args: ["-c", script, "sh", folder, "512", "64"] });
    const pid = Number(new TextDecoder().decode((await shell.output()).stdout));
    const expected = { "memory.max": "512M", "memory.swap.max": "0", "pids.max": "64" };
    for (const [name, value] of Object.entries({ ...expected, "cgroup.procs": String(pid) })) {
      assertEquals(await Deno.readTextFile(`${folder}/host-${pid}/${name}`), `${value}\n`);
    }
    // The kernel's files are no obstacle to removing a group; plain ones are.
    for await (const { name } of Deno.readDir(`${folder}/host-${pid}`)) {
      await Deno.remove(`${folder}/host-${pid}/${name}`);
    }
    await removeControlGroup({ folder, memoryMb: 512, processes: 64 }, pid);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a host starts without a group when none can be made", async () => {
  const script = `${JOIN_GROUP}\necho started`;
  for (const folder of ["", "/no/such/folder"]) {
    const shell = new Deno.Command("/bin/sh", { args: ["-c", script, "sh", folder, "512", "64"] });
    const { stdout, stderr, success } = await shell.output();
    assert(success);
    assertEquals(new TextDecoder().decode(stdout), "started\n");
    assertEquals(new TextDecoder().decode(stderr), "");
  }
});
