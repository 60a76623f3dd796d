/**
 * What is done with one file at a time, in this thread or in another: inputs and results are copied
 * from thread to thread.
 *
 * @module
 */
import type { AuditedFile, FileToAudit } from "../audit/python_file.ts";
import type { ModuleNames } from "../python/names.ts";
import type { LintedFile } from "../quality/python_file.ts";
import { moduleOnDemand } from "../on_demand.ts";
import type { FileToSearch, SearchedFile } from "../secrets/search_file.ts";
import type { Source } from "../sources.ts";
import type { ParsedSource } from "../syntax/source_tree.ts";

/** A file that was read: its names where it is a Python module. */
export interface ReadFile {
  parsed: ParsedSource;
  names: ModuleNames | null;
}

export interface FileTasks {
  /** Parses; a string says why a file cannot be analysed. */
  read: { given: Source; gives: ReadFile | string };
  /** Measures a Python file and lints it, for stages 1 and 5. */
  lint: { given: ParsedSource; gives: LintedFile };
  /** Looks for what can be told from one Python file alone. */
  audit: { given: FileToAudit; gives: AuditedFile };
  /** Searches a file for secrets. */
  search: { given: FileToSearch; gives: SearchedFile };
}

export type TaskName = keyof FileTasks;

// Engines are loaded with the first task that needs them.
const loadTrees = moduleOnDemand<typeof import("../syntax/source_tree.ts")>(
  import.meta.url,
  "../syntax/source_tree.ts",
);
const loadNames = moduleOnDemand<typeof import("../python/names.ts")>(
  import.meta.url,
  "../python/names.ts",
);
const loadLinting = moduleOnDemand<typeof import("../quality/python_file.ts")>(
  import.meta.url,
  "../quality/python_file.ts",
);
const loadAudit = moduleOnDemand<typeof import("../audit/python_file.ts")>(
  import.meta.url,
  "../audit/python_file.ts",
);
const loadSecrets = moduleOnDemand<typeof import("../secrets/search_file.ts")>(
  import.meta.url,
  "../secrets/search_file.ts",
);

const TASKS: {
  [Name in TaskName]: (given: FileTasks[Name]["given"]) => Promise<FileTasks[Name]["gives"]>;
} = {
  async read(source) {
    const { parseSource, sourceTree } = await loadTrees();
    const parsed = await parseSource(source);
    if (typeof parsed === "string") return parsed;
    if (source.grammar !== "python") return { parsed, names: null };
    const { moduleNames } = await loadNames();
    return { parsed, names: moduleNames(await sourceTree(parsed, "held")) };
  },
  async lint(parsed) {
    const { sourceTree } = await loadTrees();
    return (await loadLinting()).lintFile(await sourceTree(parsed, "held"));
  },
  async audit(given) {
    return await (await loadAudit()).auditFile(given);
  },
  async search(file) {
    return await (await loadSecrets()).searchFile(file);
  },
};

/** Runs a task in the calling thread. */
export function doTask<Name extends TaskName>(
  name: Name,
  given: FileTasks[Name]["given"],
): Promise<FileTasks[Name]["gives"]> {
  return TASKS[name](given);
}
