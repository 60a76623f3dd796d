import { assert, assertEquals } from "@std/assert";
import { clientOf } from "../../src/execution/clients.ts";
import { callTool, openTestHosts, server, sessionInput, until } from "../helpers/interpreter.ts";

const QUICK = server(`
@tool
def quick() -> str:
    return "quick"
`);

Deno.test("sessions of two users of one server are in two processes, those of one user share", async () => {
  await using hosts = await openTestHosts({ warmSessions: 1 });
  const open = (client: string, name = "shared") =>
    hosts.open(sessionInput(QUICK, { server: name, client }));
  const [ann, ben] = [await open("user ann"), await open("user ben")];
  const anonymous = await open(clientOf(null, "2001:db8::1").key);
  const neighbour = await open(clientOf(null, "2001:db8::ffff").key);
  const stranger = await open(clientOf(null, "2001:db8:0:1::1").key);
  // A user whose id reads like an address is still another than whoever calls from there.
  const named = await open(clientOf("address 2001:db8::", "192.0.2.1").key);
  const others = [ann, ben, anonymous, stranger, named];
  assertEquals(new Set(others.map(({ pid }) => pid)).size, others.length);
  assertEquals(neighbour.pid, anonymous.pid);
  assertEquals((await open("user ann")).pid, ann.pid);
  assert((await open("user ann", "another")).pid !== ann.pid);

  // The one's end is not the other's.
  Deno.kill(ann.pid, "SIGKILL");
  await until(() => !hosts.stats().pids.includes(ann.pid));
  assertEquals(await callTool(ben, "quick"), "quick");
  assert((await open("user ann")).pid !== ben.pid);
  await until(() => hosts.stats().warm === 1);
});
