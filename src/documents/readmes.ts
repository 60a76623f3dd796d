/**
 * READMEs for pages. A stranger's document is rendered once, in a process of its own that is ended
 * when it takes too long; what comes of it is kept with the archive, also that nothing did.
 *
 * @module
 */
import { z } from "zod";
import type { Sql } from "../database/client.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { RepositoryFiles } from "../repository/archive.ts";
import type { Analysis } from "../scan/analysis/analysis.ts";
import { asItIs, isSafeHtml } from "./check_html.ts";
import { type Readme, readmeIn } from "./readme_file.ts";
import { keepReadme, loadReadme, type Source } from "./readme_store.ts";

export interface ReadmesDeps {
  sql: Sql;
  log: Logger;
  /** Ends each process after its work, so that no document meets another. */
  analysis: Pick<Analysis, "run">;
  /** Documents that may wait or be worked on; past them nothing is begun. */
  most?: number;
  /** Milliseconds that a page waits; the rendering goes on without it. */
  patienceMs?: number;
}

/** A README as a page has it: safe HTML, null where there is none, or not ready yet. */
export type ShownReadme = { html: string | null } | "not_ready";

/** Renders READMEs in an analysis host, and caches the result by source. */
export interface Readmes {
  /** The README of a source; all who ask for one at once share its rendering. */
  show(source: Source, files: () => Promise<RepositoryFiles>): Promise<ShownReadme>;
  /** Renders ahead, so that the first page need not wait. Never rejects. */
  prepare(source: Source, files: RepositoryFiles): Promise<void>;
  /** Waits for what is at work, which ends with the analysis. */
  close(): Promise<void>;
}

/** Milliseconds of work on one document. */
const DEADLINE_MS = 10_000;
const MOST = 20;
const PATIENCE_MS = 4_000;
const MAX_HTML = 2_000_000;
/** READMEs that are held in memory, each at most {@link MAX_HTML} and usually far below. */
const HELD = 32;

const Rendered = z.object({ html: z.string().max(MAX_HTML).nullable() });

export function createReadmes(deps: ReadmesDeps): Readmes {
  const { sql, log, analysis, most = MOST, patienceMs = PATIENCE_MS } = deps;
  const held = new Map<string, string | null>();
  const pending = new Map<string, Promise<string | null>>();

  async function render({ name, text, isMarkdown }: Readme): Promise<string> {
    if (!isMarkdown) return asItIs(text);
    const files = new Map([[name, new TextEncoder().encode(text)]]);
    const outcome = await analysis.run(
      { analyser: "readme", lang: "python", entrypoint: name, files },
      { deadlineMs: DEADLINE_MS },
    );
    const html = outcome.kind === "done" && outcome.notAnalysable.length === 0
      ? Rendered.safeParse(outcome.result).data?.html ?? null
      : null;
    if (html !== null && isSafeHtml(html)) return html;
    log.info("readme.shown_as_text", { outcome: outcome.kind });
    return asItIs(text);
  }

  async function make(source: Source, files: () => Promise<RepositoryFiles>) {
    const kept = await loadReadme(sql, source);
    if (kept !== undefined) return kept;
    const readme = readmeIn(await files());
    const html = readme === null ? null : await render(readme);
    await keepReadme(sql, source, html);
    return html;
  }

  function ask(source: Source, files: () => Promise<RepositoryFiles>): Promise<string | null> {
    const key = `${source.archive_sha256} ${source.folder}`;
    const same = pending.get(key);
    if (same !== undefined) return same;
    const made = make(source, files).then((html) => {
      if (held.size >= HELD) held.delete(held.keys().next().value!);
      held.set(key, html);
      return html;
    }).finally(() => pending.delete(key));
    pending.set(key, made);
    return made;
  }

  return {
    async show(source, files) {
      const key = `${source.archive_sha256} ${source.folder}`;
      const known = held.get(key);
      if (known !== undefined) return { html: known };
      if (!pending.has(key) && pending.size >= most) return "not_ready";
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"not_ready">((resolve) => {
        timer = setTimeout(() => resolve("not_ready"), patienceMs);
      });
      const made = ask(source, files).then((html) => ({ html }));
      try {
        return await Promise.race([made, late]);
      } catch (error) {
        // There is no room to unpack the archive.
        if (error instanceof AppError && error.code === "unavailable") return "not_ready";
        throw error;
      } finally {
        clearTimeout(timer);
        // Nobody may be left to hear of a failure.
        made.catch((error) => log.debug("readme.failed", { error }));
      }
    },
    async prepare(source, files) {
      if (pending.size >= most) return;
      try {
        await ask(source, () => Promise.resolve(files));
      } catch (error) {
        log.warn("readme.failed", { error });
      }
    },
    close: async () => void await Promise.allSettled(pending.values()),
  };
}
