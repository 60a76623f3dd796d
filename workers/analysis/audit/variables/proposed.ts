/**
 * What a scan proposes of a server's variables: those that its code reads, with what its texts say of
 * them, and those that its metadata declares.
 *
 * @module
 */
import type { SourceFiles } from "../../analyser.ts";
import type { ReadVariable } from "../compatibility/full.ts";
import { isKey } from "../keys/providers.ts";
import { describedVariables } from "./described.ts";
import type { SentKeys } from "./sent_to.ts";

/** Most that are proposed. */
const MAX = 200;

/** Of a key, with the hosts that it seems to be for. */
function withHosts(variable: ReadVariable, sent: Pick<SentKeys, "hostsOf">): ReadVariable {
  const { name, secret = isKey(name) } = variable;
  const hosts = secret ? sent.hostsOf(name) : [];
  return hosts.length === 0 ? variable : { ...variable, hosts };
}

/** The variables in the order of the code, then of the metadata. */
export function proposedVariables(
  read: readonly ReadVariable[],
  files: SourceFiles,
  sent: Pick<SentKeys, "hostsOf">,
): ReadVariable[] {
  const described = describedVariables(files);
  const found = read.map((variable) => {
    const said = described.get(variable.name);
    if (said === undefined) return variable;
    const { description, secret, choices } = said;
    const fallback = variable.default ?? said.default;
    return {
      ...variable,
      // Metadata speaks of the server; a table of a README may speak of something else.
      required: said.declared ? said.required ?? variable.required : variable.required,
      ...(description === undefined ? {} : { description: variable.description ?? description }),
      ...(secret === undefined ? {} : { secret }),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(choices === undefined ? {} : { choices }),
    };
  });
  const names = new Set(read.map(({ name }) => name));
  const declared = [...described.values()].filter((each) => each.declared && !names.has(each.name))
    .map(({ declared: _, ...each }) => ({ ...each, required: each.required ?? false }));
  return [...found, ...declared].slice(0, MAX).map((each) => withHosts(each, sent));
}
