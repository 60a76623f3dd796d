/**
 * `setup.cfg` of setuptools: `install_requires`, `setup_requires`, `tests_require` and extras.
 *
 * @module
 */
import { parseSpecifier } from "./pep508.ts";
import { includedRequirements } from "./requirements_txt.ts";
import {
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";

const KEYS = new Set(["install_requires", "setup_requires", "tests_require"]);

/** Longest line of dependencies, in characters. */
const MAX_VALUE = 8_000;

// Values of one line may hold several dependencies; a semicolon also begins a marker (PEP 508).
const BETWEEN = /;(?!\s*\(?\s*(?:python_|sys_|os_|platform_|implementation_|extra\b))/;

function read(text: string, context: ReadContext): Requirement[] {
  const { file } = context;
  const found: Requirement[] = [];
  let section = "";
  let key = "";
  text.split(/\r\n?|\n/).forEach((raw, index) => {
    if (/^\s*([#;]|$)/.test(raw)) return;
    const header = /^\[([^\]]+)\]/.exec(raw);
    if (header) {
      section = header[1]!.trim();
      key = "";
      return;
    }
    const continued = /^\s/.test(raw);
    const assignment = continued ? null : /^([\w.\-]+)\s*[=:]\s*(.*)$/.exec(raw);
    if (assignment) key = assignment[1]!.toLowerCase();
    const wanted = (section === "options" && KEYS.has(key)) ||
      section === "options.extras_require";
    const value = (continued ? raw : assignment?.[2] ?? "").replace(/\s#.*$/, "").trim();
    if (section === "metadata" && key === "name" && !continued) context.declares?.(value);
    if (!wanted || value === "" || value.startsWith("%")) return;
    if (value.startsWith("file:")) {
      found.push(...includedRequirements(value.slice("file:".length).split(","), context));
      return;
    }
    if (value.length > MAX_VALUE) {
      throw new ManifestUnreadable(`line ${index + 1} is too long`, index + 1);
    }
    for (const item of continued ? [value] : value.split(BETWEEN)) {
      const parsed = parseSpecifier(item.trim());
      if (parsed === null) {
        throw new ManifestUnreadable(`line ${index + 1} is not a valid dependency`, index + 1);
      }
      const { name, allowed, applies } = parsed;
      if (!applies) continue;
      const place = { text: item.trim(), file, line: index + 1 };
      found.push(requirement({ ecosystem: "PyPI", name, allowed, ...place }));
    }
  });
  return found;
}

/** `setup.cfg`. */
export const setupCfg: ManifestReader = { matches: (name) => name === "setup.cfg", read };
