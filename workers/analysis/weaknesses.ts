/**
 * Weakness categories (CWE) that findings are put into, each with what an attacker, or chance, makes
 * of it. A rule can only name a category of this table, so every finding can be explained.
 *
 * @module
 */

/** Why each category matters, in one sentence or two. */
export const WEAKNESSES = {
  20: "Input that is not checked can make the parser or the code behind it do what nobody meant: " +
    "read files, call other machines, or use up memory",
  22: "A path with .. or an absolute one leads out of the folder that was meant, to files that " +
    "nobody wanted to hand out or overwrite",
  78: "Whoever controls part of the command can add commands of their own, which run with the " +
    "server's rights",
  79: "Text that is taken for HTML can bring scripts along, which run in the browser of whoever " +
    "looks at it",
  80: "Tags in a text that is shown as HTML become part of the page, scripts included",
  89: "Whoever controls part of the query can read, change or delete other data than was meant",
  90: "Whoever controls part of the query can ask the directory for other people and rights",
  94: "Whoever controls the text runs code of their own with the server's rights",
  95: "Text that is run as code can do all that the server can, not only what was expected of it",
  113: "A line break in a header lets whoever controls it add headers and answers of their own",
  117: "A line break in what is logged lets whoever controls it forge entries that others trust",
  134:
    "Placeholders of a format that a caller writes reach attributes of what is formatted, secrets " +
    "among them",
  155:
    "A wildcard is replaced by names of files, and a name that looks like an option changes what " +
    "the command does",
  200:
    "What is sent away is known to others from then on: keys and tokens in it can be used at once",
  201: "A credential that goes to somebody else than its issuer can be used by them",
  208: "How long a comparison takes tells how much of a secret was guessed right",
  242: "The function goes around the checks that keep memory consistent, so one mistake can be a " +
    "way in",
  259:
    "A password in the source is known to everyone who reads it, and changes only with a release",
  284: "What should be decided by the server can be decided by whoever asks",
  287: "Who gets past a weak check of identity acts in somebody else's name",
  295: "Without the check anyone on the way can answer in the other side's place, read along and " +
    "change what is sent",
  319: "Everyone on the way can read what is sent in the clear, passwords included",
  321: "Whoever has the private key can sign and decrypt in its owner's name",
  326: "A key this short can be found by trying",
  327:
    "The algorithm is broken or too weak: what it protects can be forged or read with moderate " +
    "means",
  330: "The numbers can be predicted from those seen before, so what they protect can be guessed",
  338: "Values that can be foreseen protect nothing: a token made of them can be guessed",
  347: "Without the check of the signature anyone can make up what is believed here",
  352: "Another site can make a visitor's browser send the request with the visitor's rights",
  359: "What a caller tells one service becomes known to another, whom the caller does not know of",
  377: "Others on the machine can put a file or a link of their own at a name that they can guess",
  390: "A failure that nobody notices leaves the program in a state that nobody expects",
  400: "A peer that never answers, or never stops, holds a connection and its memory for good",
  451: "People see something else than the model or the machine does, and agree to what they did " +
    "not read",
  489: "Debugging features give visitors what developers need: source, memory, a console",
  494: "What is downloaded without a fixed version can be other code tomorrow, and it runs",
  497: "Facts about the machine and its users help whoever looks for the next way in",
  502: "Building objects from the data can run code that the data brings along",
  506: "Code that hides, or that opens the machine to others, is how malware looks",
  532: "Logs are read by more people than the key was given to, and are kept for long",
  552: "Keys, tokens and histories of the user are open to whoever can make the server read them",
  601: "A link that seems to lead here leads to whatever site its author chose",
  605: "A listener on all addresses is reachable from networks that nobody thought of",
  611: "A document can name files and addresses that the parser then reads on its author's behalf",
  643: "Whoever controls part of the expression reads other parts of the document than was meant",
  665: "Memory that is not cleared can hold what others left there, keys included",
  674: "Recursion that nothing stops ends the process, and with it what others do in it",
  693: "A check that is switched off protects from nothing",
  694: "When two things have one name, it is open which of them is meant",
  703: "A failure that is swallowed hides faults, and sometimes attacks",
  710:
    "Code against the conventions of its language is misread sooner or later, and faults hide in it",
  732: "Others on the machine can read or change the file",
  770: "Processes, threads and open files run out for everything else on the machine",
  789: "A size that nothing bounds takes all memory, and the machine ends what it can",
  798: "Everyone who can read the repository, or its history, can use the credential",
  829: "What is loaded by a computed name may be code of somebody else",
  838: "Characters that change the direction of text let code read otherwise than it runs",
  843: "Memory that is read as another type than it was written as is corrupted or disclosed",
  918:
    "The caller can make the server ask addresses that only the server reaches, inner services " +
    "among them",
  943:
    "Whoever controls part of the query, or its operators, can read other records than was meant",
  1007: "Two names that look alike let people and models take one for the other",
  1021: "People follow a link that seems to come from somebody they trust",
  1068:
    "People and models decide by what is said of a server: where its code does something else, " +
    "they decide wrongly",
  1333: "A short text that almost matches keeps the processor busy for years",
  1336: "Expressions in a template that a caller writes run in the server",
  1357: "A component of unknown origin or version cannot be judged, and may change at any time",
  1395: "A known flaw of a dependency can be used against everything that is built on it",
  1427: "What a description tells the model to do, the model may do without its user's knowledge",
} as const;

/** Number of a category of {@link WEAKNESSES}. */
export type Weakness = keyof typeof WEAKNESSES;

const BY_NUMBER: Readonly<Record<number, string>> = WEAKNESSES;

/** The number in `CWE-78`; null for anything else. */
export function weaknessNumber(cwe: string): number | null {
  const digits = /^CWE-(\d{1,6})$/.exec(cwe)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Why a weakness such as `CWE-78` matters; null where the table has nothing on it. */
export function explanationOf(cwe: string): string | null {
  return BY_NUMBER[weaknessNumber(cwe) ?? 0] ?? null;
}
