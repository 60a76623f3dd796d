/**
 * What the code of a server that starts reaches in vain: programs, sockets and packages that no
 * session has.
 *
 * @module
 */
import type { Lack } from "./build_schema.ts";
import { packageOf } from "./packages.ts";
import type { SecurityReport } from "./schema.ts";

/** As the scan writes constructs that no profile has. */
const CONSTRUCT = /^(process|socket|thread|binary wheel|package) \(([\w.]+)\)$/;
const KINDS: Readonly<Record<string, Lack["kind"]>> = {
  process: "program",
  socket: "socket",
  thread: "thread",
  "binary wheel": "package",
  package: "package",
};
const MOST = 100;

/** What a report says that the server uses and does not have. */
export function lacksOf(
  { compatibility, packages, tool_discovery: discovery }: Pick<
    SecurityReport,
    "compatibility" | "packages" | "tool_discovery"
  >,
): Lack[] {
  const toolOf = (file: string, within: string | undefined) =>
    discovery.found.find((tool) =>
      within !== undefined && tool.file === file &&
      (tool.name === within || tool.signature?.startsWith(`${within}(`))
    )?.name ?? null;
  const found = new Map<string, Lack>();
  for (const { construct, file, line, within } of compatibility?.missing ?? []) {
    const [, what = "", subject = ""] = CONSTRUCT.exec(construct) ?? [];
    const kind = KINDS[what];
    if (kind === undefined) continue;
    const lack = { kind, subject, file, line, tool: toolOf(file, within) };
    const key = kind === "package"
      ? `${kind} ${packageOf(subject)}`
      : `${kind} ${file} ${lack.tool}`;
    if (!found.has(key)) found.set(key, lack);
  }
  for (const { name, by, imported } of packages?.missing ?? []) {
    if (by !== "" || imported !== true || found.has(`package ${name}`)) continue;
    found.set(`package ${name}`, {
      kind: "package",
      subject: name,
      file: null,
      line: null,
      tool: null,
    });
  }
  return [...found.values()].slice(0, MOST);
}
