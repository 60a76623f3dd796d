/**
 * Texts that stand where a credential would: they are documented, not secret.
 *
 * @module
 */
import { entropyOf } from "./entropy.ts";

const WORDS =
  /example|placeholder|change[-_ ]?(?:me|it|this)|redacted|replace[-_ ]?(?:me|with|this)|set[-_ ]?(?:me|this|it)[-_ ]|(?:your|insert|enter|put|add|paste)[-_ ]?(?:own[-_ ]?)?(?:[a-z0-9]+[-_ ]?)?(?:key|token|secret|pass|here|api|id|client)|[-_ ]here$|dummy|not[-_ ]?a[-_ ]?(?:real|secret)|my[-_ ]?(?:secret|token|api|pass|key)|(?:test|fake|mock|sample|demo)[-_ ]?(?:api[-_ ]?)?(?:key|token|secret|pass)|some[-_ ]?(?:secret|token|key)|super[-_ ]?secret|personal[-_ ]?access|todo|fixme|do(?:n't|nt|[-_ ]?not)[-_ ]?use|not[-_ ]?for[-_ ]/i;
/** Runs that no generator makes: one character again and again, dots, stars, blanks to fill in. */
const RUNS = /(.)\1{5,}|x{4,}|\*{3,}|\.{3,}|…|_{4,}|#{4,}/i;
const SEQUENCES =
  /0123456789|1234567890|9876543210|0987654321|zyxwvutsrq|abcdefghij|klmnopqrst|qwertyuiop|deadbeefdeadbeef|abc123|123abc|a1b2c3d4/i;
/** Values that a program fills in. */
const TEMPLATE =
  /(?:^|[:=/ ])%[sdr](?![a-z0-9])|\$\{|\$\(|\{\{|<%|%\(|\$\[|^\$[A-Za-z_]|^%[A-Za-z_]+%$|^<.*>$|^\{[\w.]*\}$|^\[.*\]$|^@\w+@$|[/:@]\$[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

const LOWEST_ENTROPY = 2;

/** Whether a value goes through the alphabet or the digits, as made-up ones do. */
export function isSequence(value: string): boolean {
  return SEQUENCES.test(value);
}

/** Marks of a value to fill in, whatever the form. */
const FILLERS = /x{4,}|\*{3,}|\.{3,}|…|_{4,}|#{4,}/i;
/** A token this long is no phrase; short words occur in it by chance. */
const MAX_PHRASE = 120;

/** Keys of emulators on one's own machine (Azurite, Azure Cosmos DB), which their documentation has. */
const OF_EMULATORS: ReadonlySet<string> = new Set([
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
]);

/** Whether a token of a form that nothing else has is there to be filled in. */
export function isFiller(value: string): boolean {
  return OF_EMULATORS.has(value) || FILLERS.test(value) ||
    (value.length <= MAX_PHRASE && WORDS.test(value)) ||
    entropyOf(value) < 1;
}

/** Whether a token of a known format, its prefix included, is a documented placeholder. */
export function isPlaceholderToken(value: string): boolean {
  const phrase = value.length <= MAX_PHRASE && (WORDS.test(value) || SEQUENCES.test(value));
  return OF_EMULATORS.has(value) || phrase || RUNS.test(value) || entropyOf(value) < LOWEST_ENTROPY;
}

/** Whether a value is filled in by a program, or stands for one that people fill in. */
export function isTemplate(value: string): boolean {
  return TEMPLATE.test(value);
}

const WEAK =
  /^(?:s[3e]cr[3e]ts?|p[a@4][s$]{2}(?:w[o0]rd|wd|phrase|code)?|pwd|pw|secrets?|tokens?|api[-_]?key|key|admin(?:istrator)?|root|user(?:name)?|guest|test(?:ing|er)?|demo|default|temp|letmein|welcome|hello|world|foo|bar|baz|foobar|qwerty|abc|none|null|nil|true|false|undefined|empty|string|text|value|required|optional|unknown|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbitmq|rabbit|sa|dev|development|local|localhost|minio|minioadmin|elastic|neo4j|airflow|hunter|anonymous|docker|vagrant)$/i;

const METASYNTACTIC = /foo|bar|baz|qux|quux|spam|eggs/g;

/** `foo:bar`, `fooAbar`: words that stand for any, with next to nothing beside them. */
function isMetasyntactic(value: string): boolean {
  const rest = value.toLowerCase().replace(METASYNTACTIC, "");
  return rest.length <= 2 && value.length - rest.length >= 6;
}

/** Whether a password is one that stands in every tutorial. */
export function isPlaceholderPassword(value: string): boolean {
  if (isMetasyntactic(value)) return true;
  const core = value.toLowerCase().replace(/[^a-z@$]*$/, "").replace(/^[^a-z@$]+/, "");
  return core === "" ? SEQUENCES.test(value) || RUNS.test(value) || value.length < 8 : (
    WEAK.test(core) || WEAK.test(core.replace(/[-_]?(?:pass(?:word)?|pwd|secret|user|db)$/, "")) ||
    WORDS.test(value) || RUNS.test(value) || SEQUENCES.test(value)
  );
}
