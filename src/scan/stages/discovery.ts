/**
 * Stage 2: whether the tools that a server reports are in its source.
 *
 * @module
 */
import { z } from "zod";
import { isWantedSource } from "../../../workers/analysis/sources.ts";
import { createFindings, type NewFinding } from "../findings.ts";
import type { StageError, ToolDiscovery } from "../schema.ts";
import type { Discovered } from "../stage.ts";
import { analysed, type AnalysedDeps, type AnalysedInput, MAX_LISTED } from "./analysed.ts";

const DiscoveryResult = z.object({
  tools: z.array(z.object({
    name: z.string().max(500),
    file: z.string().max(4096),
    line: z.int().min(1),
    signature: z.string().max(500),
    description: z.string().max(4000).nullable(),
    declaration: z.string().max(500),
  })).max(5000),
  dynamic: z.boolean(),
  files_scanned: z.int().min(0),
  reached: z.array(z.string().max(4096)).max(100_000),
  folders: z.array(z.string().max(4096)).max(10_000).nullable(),
});

const DEADLINE_MS = 40_000;

/** Characters of all declarations together: every page of a server and every answer holds them. */
const MAX_CHARACTERS = 4_000_000;

type Found = z.infer<typeof DiscoveryResult>["tools"];

/** Why tools are too much for a report; null when they are not. */
function overBound(tools: Found): StageError | null {
  const total = tools.reduce(
    (sum, { name, file, signature, description, declaration }) =>
      sum + name.length + file.length + signature.length + (description?.length ?? 0) +
      declaration.length,
    0,
  );
  if (total <= MAX_CHARACTERS) return null;
  const message =
    `The names and descriptions of the tools are longer than ${MAX_CHARACTERS} characters`;
  return { code: "limit", message };
}

/** What stage 2 works on; `tools` are the reported names, null when none were reported. */
export interface DiscoveryInput extends AnalysedInput {
  tools: string[] | null;
}

function findingsOf(
  input: DiscoveryInput,
  section: Pick<ToolDiscovery, "missing" | "undeclared" | "unverified" | "found">,
): NewFinding[] {
  const place = { file: input.entrypoint, line: null, end_line: null, cwe: null };
  const quoted = (name: string) => JSON.stringify(name.slice(0, 100));
  return [
    ...section.missing.map((name): NewFinding => ({
      ...place,
      rule: "tool-missing",
      severity: "high",
      title: `Reported tool ${quoted(name)} is not in the source`,
      detail:
        "Register the tool in a module that the entrypoint imports, or remove it from the record",
    })),
    ...section.unverified.map((name): NewFinding => ({
      ...place,
      rule: "tool-unverified",
      severity: "low",
      title: `Reported tool ${quoted(name)} cannot be verified`,
      detail: "The server registers tools dynamically, so they are known only at run time",
    })),
    ...section.undeclared.map((name): NewFinding => {
      const found = section.found.find((tool) => tool.name === name);
      return {
        ...place,
        file: found?.file ?? null,
        line: found?.line ?? null,
        end_line: found?.line ?? null,
        rule: "tool-undeclared",
        severity: "low",
        title: `Tool ${quoted(name)} is not reported`,
        detail: "The source declares a tool that the record does not list. Add it to the record",
      };
    }),
  ];
}

export async function runDiscovery(
  deps: AnalysedDeps,
  input: DiscoveryInput,
  signal?: AbortSignal,
): Promise<Discovered> {
  const run = await analysed(deps, input, {
    analyser: "discovery",
    schema: DiscoveryResult,
    deadlineMs: DEADLINE_MS,
    needs: (path) => isWantedSource(path, input.lang, input.entrypoint),
    signal,
  });
  const tooMuch = overBound(run.result?.tools ?? []);
  const result = tooMuch === null ? run.result : null;
  const error = tooMuch ?? run.error;
  const found = result?.tools ?? [];
  const dynamic = result?.dynamic ?? false;
  const names = new Set(found.map(({ name }) => name));
  // Without a report of the author, what is found is what is reported.
  const reported = input.tools ?? [...names];
  const absent = result === null ? [] : reported.filter((name) => !names.has(name));
  const wanted = new Set(reported);
  const section = {
    found,
    missing: dynamic ? [] : absent,
    unverified: dynamic ? absent : [],
    undeclared: [...names].filter((name) => !wanted.has(name)),
  };
  const issues = findingsOf(input, section);
  const finding = createFindings("tool_discovery", input.repository.files);
  const discovery: ToolDiscovery = {
    scan_passed: error === null && section.missing.length === 0,
    total_issues: issues.length,
    reported,
    ...section,
    dynamic,
    issues: issues.slice(0, MAX_LISTED).map(finding),
    files_scanned: result?.files_scanned ?? 0,
    duration_ms: run.durationMs,
    error,
  };
  const { reached = [], folders = null } = run.result ?? {};
  return { discovery, reached, folders };
}
