/**
 * The rules of secretlint's recommended preset, without the one that lets comments in the scanned
 * file switch rules off.
 *
 * @module
 */
import { lintSource } from "@secretlint/core";
import { creator as preset, rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { Match } from "./match.ts";
import { isPlaceholderToken } from "./placeholders.ts";

const FILTER_COMMENTS = "@secretlint/secretlint-rule-filter-comments";
/** Our own rules for these know more placeholders. */
const OWN = /secretlint-rule-(?:slack|privatekey|basicauth|database-connection-string)$/;
const kept = rules.filter(({ meta }) => meta.id !== FILTER_COMMENTS && !OWN.test(meta.id));
const config = {
  rules: [{
    id: preset.meta.id,
    rule: {
      ...preset,
      rules: kept,
      create(context: Parameters<typeof preset.create>[0]) {
        for (const rule of kept) context.registerRule(rule);
      },
    },
    rules: [],
  }],
};

export async function findBySecretlint(text: string, path: string): Promise<Match[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: path, ext: "", contentType: "text" },
    options: { config, noPhysicFilePath: true, maskSecrets: true },
  });
  return messages.flatMap(({ ruleId, range }): Match[] => {
    const value = text.slice(range[0], range[1]);
    if (value === "" || isPlaceholderToken(value)) return [];
    const kind = ruleId.replace(/^.*secretlint-rule-/, "");
    const title = `Credential (${kind})`;
    return [{ kind, title, severity: "high", at: range[0], value }];
  });
}
