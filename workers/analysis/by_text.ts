/**
 * Answers about names, kept: each call is asked about by many rules, and a project calls few functions
 * by many calls.
 *
 * @module
 */

/** So many answers are kept, of texts that are no longer than this: hostile ones may be many and long. */
const MOST = 4000;
const LONGEST = 200;

/** `ask`, which must depend on the text alone, asked once for each. */
export function byText<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, { answer: Answer }>();
  return (text) => {
    if (text.length > LONGEST) return ask(text);
    const found = known.get(text);
    if (found !== undefined) return found.answer;
    if (known.size >= MOST) known.clear();
    const answer = ask(text);
    known.set(text, { answer });
    return answer;
  };
}
