/**
 * Messages of analysers, which name code between backticks as Markdown does.
 *
 * @module
 */

// Between the same number of backticks, as most analysers write it; a lone backtick is a text.
const CODE = /(?<!`)(`+)(?!`)(\s*[^`\s][^`]*)\1(?!`)/;

/** `text` with the names between backticks as code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split(CODE);
  return (
    <bdi>
      {parts.map((part, index) => {
        // Every three parts: a text, the backticks, what is between them.
        if (index % 3 === 0) return part;
        return index % 3 === 1 ? null : <code>{part}</code>;
      })}
    </bdi>
  );
}

/** `text` where there can be no elements: names without their backticks. */
export function plainProse(text: string): string {
  return text.replaceAll(new RegExp(CODE, "g"), "$2");
}
