/**
 * Pyodide's own distribution, from its lock file: what of it a session could load.
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";
import { asTable, entriesOf, itemsOf } from "../manifests/requirement.ts";
import type { Distribution } from "./state.ts";

/** The packages of `pyodide-lock.json` that are wheels and need no library beside them. */
export function readDistribution(text: string, base: string): Distribution {
  const found: Distribution = Object.create(null);
  const all = asTable(asTable(JSON.parse(text))?.packages) ?? {};
  for (const [, value] of entriesOf(all)) {
    const entry = asTable(value);
    const { name, version, file_name: file, sha256 } = entry ?? {};
    if (typeof name !== "string" || typeof version !== "string") continue;
    if (typeof file !== "string" || typeof sha256 !== "string" || !file.endsWith(".whl")) continue;
    const requires = itemsOf(entry?.depends).filter((each) => typeof each === "string");
    // The lock names packages in normal form, their requirements as they come.
    const isWhole = requires.every((each) =>
      asTable(all[normalName("PyPI", each)])?.package_type === "package"
    );
    if (entry?.package_type !== "package" || !isWhole || !URL.canParse(file, base)) continue;
    found[normalName("PyPI", name)] = {
      version,
      file,
      origin: "distribution",
      url: new URL(file, base).href,
      sha256,
      size: null,
      part: false,
      yanked: false,
      withdrawn: null,
      uploaded: null,
      metadata: null,
      requires,
    };
  }
  return found;
}
