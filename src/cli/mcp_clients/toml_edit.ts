/**
 * Changing one table of a TOML file that people wrote: everything else stays as it is.
 *
 * @module
 */
import { parse } from "smol-toml";

type Servers = Record<string, unknown>;

function serversIn(text: string, key: string): Servers {
  const content = parse(text) as Record<string, unknown>;
  return { ...content[key] as Servers | undefined };
}

/** The servers in `text` by name. @throws {Error} When it is not valid TOML. */
export function readTomlServers(text: string, key: string): Servers {
  return serversIn(text, key);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function parseIfValid(text: string): Record<string, unknown> | null {
  try {
    return parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The table's name in a header, quotes or not: `[mcp_servers.weather]`, and tables below it. */
function headerOf(key: string, name: string): RegExp {
  return new RegExp(
    `^\\s*\\[\\s*${key}\\s*\\.\\s*(["']?)${name}\\1\\s*(\\.[^\\]]*)?\\]\\s*(#.*)?$`,
  );
}

/** Lines without the table and its sub-tables. */
function withoutTable(text: string, key: string, name: string): string {
  const header = headerOf(key, name);
  const kept: string[] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) inside = header.test(line);
    if (!inside) kept.push(line);
  }
  return kept.join("\n");
}

/** A JSON text is a TOML text; lists of texts too, but not tables. */
function tomlText(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const pairs = Object.entries(value).map(([key, one]) =>
    `${JSON.stringify(key)} = ${tomlText(one)}`
  );
  return `{ ${pairs.join(", ")} }`;
}

function tableOf(key: string, name: string, entry: Record<string, unknown>): string {
  const lines = Object.entries(entry).map(([member, value]) => `${member} = ${tomlText(value)}`);
  return `[${key}.${name}]\n${lines.join("\n")}\n`;
}

/**
 * `text` with `entry` as the server `name`; null removes it.
 *
 * @throws {Error} When the file is written in a way that this cannot change safely.
 */
export function editToml(
  text: string,
  key: string,
  { name, entry }: { name: string; entry: Record<string, unknown> | null },
): string {
  const before = parse(text) as Record<string, unknown>;
  const rest = withoutTable(text, key, name).replace(/\n{3,}$/, "\n\n");
  const gap = rest.trim() === ""
    ? ""
    : rest.endsWith("\n\n")
    ? ""
    : rest.endsWith("\n")
    ? "\n"
    : "\n\n";
  const after = entry === null ? rest : `${rest}${gap}${tableOf(key, name, entry)}`;
  const { [name]: _, ...others } = serversIn(text, key);
  const expected = entry === null ? others : { ...others, [name]: entry };
  // Inline tables and dotted keys are not understood above: what came out decides.
  const result = parseIfValid(after);
  const apart = ({ [key]: _, ...members }: Record<string, unknown>) => members;
  const servers = (result?.[key] ?? {}) as Servers;
  const sorted = (value: Servers) => Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  if (
    result === null || !same(apart(before), apart(result)) ||
    !same(sorted(servers), sorted(expected))
  ) {
    throw new Error("Its format cannot be edited safely");
  }
  return after;
}
