/**
 * Places for processes with a network of their own (Linux network namespaces), joined by a bridge to
 * this machine's. A place that is cut off loses what it sends and gets nothing, and nobody is told.
 *
 * @module
 */

/** Where a process may run. */
export interface Place {
  /** By which this machine and the other places reach it. */
  address: string;
  /** What a command that runs there begins with. */
  within: string[];
  /** Its cable is pulled out, or put in again. */
  plug(isIn: boolean): Promise<void>;
  /** Whether it reaches this machine only, and no other place. */
  setApart(isApart: boolean): Promise<void>;
}

/** The bridge with its places. */
export interface Network extends AsyncDisposable {
  /** Of this machine. */
  address: string;
  add(): Promise<Place>;
}

const PREFIX = "198.18.77";
/** Number of the first place, in its address and names. */
const FIRST = 11;

async function ran(...command: string[]): Promise<string | null> {
  const [program, ...args] = command as [string, ...string[]];
  try {
    const { success, stderr } = await new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    return success ? null : `${command.join(" ")}: ${new TextDecoder().decode(stderr).trim()}`;
  } catch (error) {
    return `${program}: ${(error as Error).message}`;
  }
}

async function must(...command: string[]): Promise<void> {
  const fault = await ran(...command);
  if (fault !== null) throw new Error(fault);
}

/** Opens a network; a text says why this system has none: they take root, and `ip`. */
export async function openNetwork(): Promise<Network | string> {
  const bridge = `berth${Deno.pid}`.slice(0, 12);
  const namespaces: string[] = [];
  const address = `${PREFIX}.1`;
  async function close() {
    for (const [i, name] of namespaces.entries()) {
      await ran("ip", "link", "del", `${bridge}${FIRST + i}`);
      await ran("ip", "netns", "del", name);
    }
    await ran("ip", "link", "del", bridge);
  }
  async function add(): Promise<Place> {
    const number = namespaces.length + FIRST;
    const [name, outer, inner] = [`${bridge}n${number}`, `${bridge}${number}`, "berth0"];
    const own = `${PREFIX}.${number}`;
    await must("ip", "netns", "add", name);
    namespaces.push(name);
    const there = (...command: string[]) => must("ip", "netns", "exec", name, ...command);
    await must("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name);
    await must("ip", "link", "set", outer, "master", bridge, "up");
    await there("ip", "link", "set", "lo", "up");
    await there("ip", "address", "add", `${own}/24`, "dev", inner);
    await there("ip", "link", "set", inner, "up");
    return {
      address: own,
      within: ["ip", "netns", "exec", name],
      plug: (isIn) => must("ip", "link", "set", outer, isIn ? "up" : "down"),
      setApart: (isApart) =>
        must(
          "ip",
          "link",
          "set",
          outer,
          "type",
          "bridge_slave",
          "isolated",
          isApart ? "on" : "off",
        ),
    };
  }
  const fault = await ran("ip", "link", "add", bridge, "type", "bridge") ??
    await ran("ip", "address", "add", `${address}/24`, "dev", bridge) ??
    await ran("ip", "link", "set", bridge, "up");
  if (fault !== null) {
    await close();
    return fault;
  }
  return { address, add, [Symbol.asyncDispose]: close };
}
