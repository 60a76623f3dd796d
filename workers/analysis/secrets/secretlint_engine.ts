/**
 * secretlint with the rules of its preset that Berth wants.
 *
 * @module
 */
import { lintSource } from "@secretlint/core";
import { creator as preset, rules } from "@secretlint/secretlint-rule-preset-recommend";

const FILTER_COMMENTS = "@secretlint/secretlint-rule-filter-comments";
/** Our own rules for these know more placeholders, and need no file on a disk. */
const OWN = /secretlint-rule-(?:slack|privatekey|basicauth|database-connection-string|gcp)$/;
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

/** Names of the rules, without those of Berth's own. */
export const ENGINE_RULES: readonly string[] = kept.map(({ meta }) =>
  meta.id.replace(/^.*secretlint-rule-/, "")
);

/** What the rules say of a text. */
export async function lint(
  text: string,
  path: string,
): Promise<{ ruleId: string; range: readonly [number, number] }[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: path, ext: "", contentType: "text" },
    options: { config, noPhysicFilePath: true, maskSecrets: true },
  });
  return messages;
}
