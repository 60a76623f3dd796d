/**
 * Stage 5 on one Python file: what can be told without the others.
 *
 * @module
 */
import type { RawFinding } from "../finding.ts";
import { readNodes } from "../python/reach/module_nodes.ts";
import { type ModuleNames, namesIn, type PythonNames } from "../python/names.ts";
import { ruffOn, type RuffPart } from "../ruff/python_ruff.ts";
import { type ParsedSource, sourceTree } from "../syntax/source_tree.ts";
import { type Refused, refusedIn } from "./compatibility/compatibility.ts";
import { settingsVariables } from "./variables/settings_classes.ts";
import { missingIn, type ReadVariable, variablesIn } from "./compatibility/full.ts";
import { type ServerFile, serverFile } from "./mcp/server_file.ts";
import { pythonAssembledKeys } from "./python/assembled_keys.ts";
import { pythonCalls } from "./python/calls.ts";
import { pythonCosts } from "./python/costs.ts";
import { pythonFetched } from "./python/fetched.ts";
import { pythonEscapes } from "./python/escapes.ts";
import { pythonEvaluated } from "./python/evaluated.ts";
import { pythonHidden } from "./python/hidden.ts";
import { pythonResolved } from "./python/resolved.ts";
import { databasePrograms } from "./python/database_programs.ts";
import { pythonRedirected } from "./python/redirected.ts";
import { pythonWatching } from "./python/watching.ts";
import { pythonDestroys } from "./python/destroys.ts";
import { pythonMalice } from "./python/malice.ts";
import { pythonModuleValues } from "./modules/module_values.ts";
import { pythonPatterns } from "./python/patterns.ts";
import { ruffSecurity } from "./python/ruff.ts";
import { sqlText } from "./python/sql.ts";
import { tellTaleStrings } from "./python/strings.ts";

export interface FileToAudit {
  parsed: ParsedSource;
  names: ModuleNames;
  /** What ruff found in stage 1; null when it has not looked. */
  ruff: RuffPart | null;
  /** Whether it may run. */
  runs: boolean;
  /** Whether the entrypoint surely reaches it. */
  certain: boolean;
  /**
   * The names with their tree, as the project has them, where reading `names` anew would give the
   * same; only within a thread. What was found out about them need not be found out again.
   */
  shared?: PythonNames;
}

export interface FileNeeds {
  /** What the restricted profile refuses. */
  refused: Refused[];
  /** What fails in every profile. */
  missing: Refused[];
  variables: ReadVariable[];
}

export interface AuditedFile {
  /** ruff's findings, and ours for which ruff has none. */
  ruff: RawFinding[];
  own: RawFinding[];
  /** What it cannot run without; null where it is not certain to run. */
  needs: FileNeeds | null;
  /** What the server's checks need; null where the file does not run. */
  server: ServerFile | null;
}

/** ruff's findings, and those of ours for which ruff has none of this weakness on their lines. */
function withFallback(ruff: readonly RawFinding[], fallback: readonly RawFinding[]): RawFinding[] {
  const said = Map.groupBy(ruff, ({ cwe }) => cwe);
  const silent = fallback.filter(({ cwe, line, end_line }) =>
    !(said.get(cwe) ?? []).some((each) => each.line <= end_line && each.end_line >= line)
  );
  return [...ruff, ...silent];
}

function needsOf(names: PythonNames): FileNeeds {
  return {
    refused: [...refusedIn(names)],
    missing: [...missingIn(names)],
    variables: [...variablesIn(names), ...settingsVariables(names)],
  };
}

export async function auditFile(file: FileToAudit): Promise<AuditedFile> {
  const { parsed, names: read, ruff, runs, certain, shared } = file;
  const names = shared ?? namesIn(await sourceTree(parsed, "held"), read);
  const { tree } = names;
  const nodes = readNodes(names);
  const strings = nodes.of("string");
  const { findings } = ruff ?? ruffOn(tree.text).security;
  return {
    ruff: withFallback(ruffSecurity(tree, findings), pythonCalls(names, nodes)),
    own: [
      ...pythonPatterns(names, nodes),
      ...pythonHidden(names, nodes),
      ...pythonModuleValues(names),
      ...pythonResolved(names, nodes),
      ...pythonEscapes(names, nodes),
      ...pythonEvaluated(names, nodes),
      ...pythonMalice(names, nodes),
      ...pythonAssembledKeys(names, nodes),
      ...databasePrograms(names, nodes),
      ...pythonWatching(names, nodes),
      ...pythonRedirected(names, nodes),
      ...pythonDestroys(names, nodes),
      ...pythonCosts(names, nodes),
      ...pythonFetched(names, nodes, runs),
      ...tellTaleStrings(tree, strings),
      ...sqlText(tree, strings),
    ],
    needs: certain ? needsOf(names) : null,
    server: runs ? serverFile(tree) : null,
  };
}
