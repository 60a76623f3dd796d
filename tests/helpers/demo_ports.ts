/**
 * The demo's ports: those that README.md names where they are free, others where they are taken.
 *
 * @module
 */

/** Ports by what listens there. */
export type Ports<Name extends string> = Record<Name, number>;

const LAST_PORT = 65535;

/** Reads the variable `name`: the first of `count` ports, or the one that README.md names. */
export function portOf(name: string, named: number, count = 1): number {
  const text = Deno.env.get(name) || String(named);
  const last = LAST_PORT - count + 1;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= last) return port;
  throw new RangeError(`${name} is ${JSON.stringify(text)}: use a number from 1 to ${last}`);
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse || error instanceof Deno.errors.PermissionDenied) {
      return false;
    }
    throw error;
  }
}

/** A port that the system has free, and that is none of `others`. */
function anyPort(others: ReadonlySet<number>): number {
  for (;;) {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    if (!others.has(port)) return port;
  }
}

/** For each of `wanted` its port where that is free, else another one. */
export function choosePorts<Name extends string>(wanted: Ports<Name>): Ports<Name> {
  const chosen = new Set<number>();
  const entries = Object.entries<number>(wanted).map(([name, port]) => {
    const found = !chosen.has(port) && isFree(port) ? port : anyPort(chosen);
    chosen.add(found);
    return [name, found];
  });
  return Object.fromEntries(entries) as Ports<Name>;
}
