/**
 * Questions that a client asks for the values of a server, and whose answers it keeps.
 *
 * @module
 */

/** A question in a client's configuration. */
export interface ClientQuestion {
  type: "promptString";
  id: string;
  description: string;
  password: boolean;
}

/** What a question is made of: name, description, and whether the answer is hidden. */
export interface AskedVariable {
  name: string;
  description: string | null;
  secret: boolean;
}

const DESCRIPTION_MAX = 100;

function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= DESCRIPTION_MAX) return text;
  return `${characters.slice(0, DESCRIPTION_MAX - 1).join("")}…`;
}

/** Beginning of the ids of a server's questions. */
export function questionPrefix(server: string): string {
  return `berth-${server}-`;
}

/** Asks for each of `variables`, on one line of at most 100 characters. */
export function questionsOf(
  server: string,
  variables: readonly AskedVariable[],
): ClientQuestion[] {
  return variables.map(({ name, description, secret }) => ({
    type: "promptString",
    id: questionPrefix(server) + name,
    description: shortened((description ?? name).replaceAll(/[\s\p{C}]+/gu, " ").trim()),
    password: secret,
  }));
}

/** What stands for the answer in an entry. */
export function answerOf(server: string, variable: string): string {
  return `\${input:${questionPrefix(server)}${variable}}`;
}
