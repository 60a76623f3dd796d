/**
 * Sessions that begin before their clients come.
 *
 * @module
 */
import type { CodeInput, EndReason, Interpreter } from "../interpreters/types.ts";
import type { Tenant } from "./host.ts";
import type { SpareInterpreter } from "./types.ts";
import type { Uses } from "./uses.ts";

export interface OpenSpareDeps {
  uses: Uses;
  /** @throws {AppError} When as many are taken as there may be. */
  refuseWhenFull(taken: number): void;
  /** Starts an interpreter, in a host that is the tenant's. */
  start(input: CodeInput, tenant: Tenant): Promise<Interpreter>;
  /** It has a client from now on. */
  onAdopted(interpreter: Interpreter): void;
}

/** `onEnd` of `input`, before which `first` is called. */
export function whenEnded({ onEnd }: Pick<CodeInput, "onEnd">, first: () => void) {
  return (reason: EndReason) => {
    first();
    onEnd(reason);
  };
}

/** Starts one in a host that is its client's as soon as there is one. */
export async function openSpare(
  input: CodeInput,
  { uses, refuseWhenFull, start, onAdopted }: OpenSpareDeps,
): Promise<SpareInterpreter> {
  refuseWhenFull(uses.count("session", "background", "spare"));
  const use = uses.hold("spare");
  const tenant: Tenant = { server: input.server, client: null };
  try {
    const onEnd = whenEnded(input, () => use(null));
    const interpreter = await start({ ...input, onEnd }, tenant);
    return Object.assign(interpreter, {
      adopt(client: string) {
        refuseWhenFull(uses.count("session"));
        use("session");
        tenant.client = client;
        onAdopted(interpreter);
      },
    });
  } catch (error) {
    use(null);
    throw error;
  }
}
