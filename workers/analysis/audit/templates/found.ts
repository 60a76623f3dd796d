/**
 * Templates that a scan has come across, by the engines that run them, and what is found in them.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import type { PythonNames } from "../../python/names.ts";
import { hostOf } from "../../python/reach/embedded_paths.ts";
import { folderOf, foldersOver } from "../../python/reach/reach.ts";
import { inRepository } from "../../python/reach/session_paths.ts";
import { grammarOf, roleOf } from "../../sources.ts";
import type { Engine } from "../../templates/engines.ts";
import { decodeSource } from "../../text.ts";

const SYNTAX = /\{\{|\{%|<%|\$\{|<\?python|^[ \t]*[%#][ \t]*[a-z]/m;

/** Files with templates by engine, and findings, each said once. */
export class Templates {
  readonly files = new Map<string, Set<Engine>>();
  readonly findings: RawFinding[] = [];
  readonly #bases: string[];
  readonly #said = new Set<string>();

  constructor(readonly project: Project, readonly input: AnalyserInput) {
    this.#bases = foldersOver(input.entrypoint);
  }

  say(finding: RawFinding): void {
    const key = `${finding.file}\0${finding.line}\0${finding.rule}\0${finding.title}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.findings.push(finding);
  }

  #add(path: string, engine: Engine): void {
    const engines = this.files.get(path) ?? new Set();
    this.files.set(path, engines.add(engine));
  }

  /** Takes the files below a folder or at a path; `null`: every one that may be a template. */
  take(names: PythonNames, path: string | null, engine: Engine): void {
    if (path === null) {
      for (const [each, bytes] of this.input.files) {
        if (grammarOf(each) === "python" || roleOf(each) !== "source") continue;
        if (SYNTAX.test(decodeSource(bytes).text)) this.#add(each, engine);
      }
      return;
    }
    for (const place of inRepository(path, [...this.#bases, folderOf(hostOf(names.tree.path))])) {
      for (const each of this.input.files.keys()) {
        const isOwn = each === place || place === "" || each.startsWith(`${place}/`);
        // Modules are analysed as what they are.
        if (isOwn && (each === place || grammarOf(each) !== "python")) this.#add(each, engine);
      }
    }
  }
}
