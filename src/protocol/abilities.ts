/**
 * What a client said at `initialize` that it can do for the server.
 *
 * @module
 */

/** Capabilities of a client that Berth looks at. */
export interface ClientAbilities {
  sampling: boolean;
  /** `sampling.tools`: requests may carry `tools` and `toolChoice`. */
  samplingTools: boolean;
  /** `elicitation` without a mode means forms. */
  forms: boolean;
  urls: boolean;
  roots: boolean;
}

/** A client that never said anything. */
export const NO_ABILITIES: ClientAbilities = {
  sampling: false,
  samplingTools: false,
  forms: false,
  urls: false,
  roots: false,
};

function member(value: unknown, name: string): Record<string, unknown> | null {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? found as Record<string, unknown>
    : null;
}

/** Reads the `capabilities` of `initialize`; what is not an object counts as absent. */
export function abilitiesOf(capabilities: unknown): ClientAbilities {
  const sampling = member(capabilities, "sampling");
  const elicitation = member(capabilities, "elicitation");
  const urls = member(elicitation, "url") !== null;
  return {
    sampling: sampling !== null,
    samplingTools: member(sampling, "tools") !== null,
    forms: elicitation !== null && (member(elicitation, "form") !== null || !urls),
    urls,
    roots: member(capabilities, "roots") !== null,
  };
}
