/**
 * The rules about labelled values that reach a function which does something.
 *
 * @module
 */
import type { SinkKind } from "../../python/calls/sinks.ts";
import { type Rule, rule } from "../rule.ts";

/** What it means that a caller's word reaches a function of a kind. */
export const INJECTION: Record<SinkKind, Rule> = {
  shell: rule(
    "py/tool-to-shell",
    "high",
    78,
    "Pass a list of arguments without a shell, and allow only expected values",
  ),
  process: rule(
    "py/tool-to-process",
    "high",
    78,
    "Let the caller choose from a fixed list of programs, and put `--` before its values",
  ),
  code: rule("py/tool-to-code", "high", 94, "Do not run text of a caller: parse what is wanted"),
  import: rule("py/tool-to-import", "high", 829, "Choose the module from a fixed list"),
  template: rule(
    "py/tool-to-template",
    "high",
    1336,
    "Keep templates in the source and pass the caller's words as values",
  ),
  pickle: rule("py/tool-to-pickle", "high", 502, "Exchange JSON: unpickling runs code"),
  sql: rule("py/tool-to-sql", "high", 89, "Pass values as parameters of the query"),
  query: rule(
    "py/tool-to-query",
    "medium",
    943,
    "Escape the value for the query's language, and accept no operators of a caller",
  ),
  regex: rule(
    "py/tool-to-regex",
    // Searching by pattern is what many tools are for; what it costs is time.
    "low",
    1333,
    "Bound the pattern's length and the text's, or use an engine without backtracking",
  ),
  format: rule(
    "py/tool-to-format",
    "medium",
    134,
    "Keep format strings in the source: they reach attributes of what is formatted",
  ),
  file: rule(
    "py/tool-to-file",
    // Handing out files is what many tools are for, and the sandbox has no disk.
    "medium",
    22,
    "Resolve the path and refuse it unless it is below a fixed folder (Path.is_relative_to)",
  ),
  request: rule(
    "py/tool-to-request",
    "medium",
    918,
    "Fix the host in the source, or allow only expected ones",
  ),
};
/** What a request answered is run. */
export const REMOTE_CODE = rule(
  "py/remote-code",
  "critical",
  494,
  "Do not run what a server sends: ship the code with the repository",
);
/** Decoded text is run. */
export const ENCODED_CODE = rule(
  "py/encoded-code",
  "critical",
  506,
  "Write the code in the open: encoded code is how malware hides",
);
/** All variables leave the machine. */
export const ENVIRONMENT = rule(
  "py/environment-sent",
  "critical",
  200,
  "Send the one variable that the service needs, not the environment",
);
/** A secret that the server asks its user for leaves the machine. */
export const ELICITED: Rule = {
  id: "py/elicited-secret-sent",
  severity: "high",
  cwe: 200,
  advice:
    "Let users sign in at the service itself (elicitation by address): the protocol forbids " +
    "to ask for secrets in a form",
};

/** A file with keys leaves the machine. */
export const CREDENTIALS = rule(
  "py/credentials-sent",
  "critical",
  200,
  "A server has no reason to read and send its user's keys",
);
/** A tool hands its caller secrets of the machine. */
export const ENVIRONMENT_RETURNED = rule(
  "py/environment-returned",
  "high",
  200,
  "Give the caller the values it needs, not the environment",
);
/** What a tool says of itself comes from elsewhere when the server runs. */
export const FOREIGN_DESCRIPTION = rule(
  "mcp/description-from-elsewhere",
  "high",
  1427,
  "State descriptions and instructions in the source: what is decoded or fetched nobody has read",
);

/** Every rule of this module. */
export const FLOW_RULES: readonly Rule[] = [
  ...Object.values(INJECTION),
  REMOTE_CODE,
  ENCODED_CODE,
  ENVIRONMENT,
  CREDENTIALS,
  ELICITED,
  ENVIRONMENT_RETURNED,
  FOREIGN_DESCRIPTION,
];
