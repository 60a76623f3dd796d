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
    "Let the caller choose from a fixed list of programs, and put `--` before its arguments",
  ),
  code: rule(
    "py/tool-to-code",
    "high",
    94,
    "Do not run a caller's text as code. Parse the expected values instead",
  ),
  import: rule("py/tool-to-import", "high", 829, "Choose the module from a fixed list"),
  template: rule(
    "py/tool-to-template",
    "high",
    1336,
    "Keep templates in the source and pass the caller's text as values",
  ),
  pickle: rule("py/tool-to-pickle", "high", 502, "Use JSON instead: unpickling runs code"),
  sql: rule("py/tool-to-sql", "high", 89, "Pass values as parameters of the query"),
  query: rule(
    "py/tool-to-query",
    "medium",
    943,
    "Escape the value for the query language, and do not accept operators from a caller",
  ),
  regex: rule(
    "py/tool-to-regex",
    // Searching by pattern is what many tools are for; what it costs is time.
    "low",
    1333,
    "Limit the length of the pattern and the text, or use an engine without backtracking",
  ),
  format: rule(
    "py/tool-to-format",
    "medium",
    134,
    "Keep format strings in the source: they can read attributes of the formatted objects",
  ),
  file: rule(
    "py/tool-to-file",
    // Handing out files is what many tools are for, and the sandbox has no disk.
    "medium",
    22,
    "Resolve the path and reject it unless it is inside a fixed folder (Path.is_relative_to)",
  ),
  request: rule(
    "py/tool-to-request",
    "medium",
    918,
    "Hard-code the host, or allow only expected hosts",
  ),
};
/** What a request answered is run. */
export const REMOTE_CODE = rule(
  "py/remote-code",
  "critical",
  494,
  "Do not run code from a server. Ship it with the repository",
);
/** Decoded text is run. */
export const ENCODED_CODE = rule(
  "py/encoded-code",
  "critical",
  506,
  "Do not encode code: malware hides this way",
);
/** All variables leave the machine. */
export const ENVIRONMENT = rule(
  "py/environment-sent",
  "critical",
  200,
  "Send only the variable that the service needs, not the environment",
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
  "Do not read and send the user's keys",
);
/** A tool hands its caller secrets of the machine. */
export const ENVIRONMENT_RETURNED = rule(
  "py/environment-returned",
  "high",
  200,
  "Return only the values that the caller needs, not the environment",
);
/** What a tool says of itself comes from elsewhere when the server runs. */
export const FOREIGN_DESCRIPTION = rule(
  "mcp/description-from-elsewhere",
  "high",
  1427,
  "State descriptions and instructions in the source, where people can review them",
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
