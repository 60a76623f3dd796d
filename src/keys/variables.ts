/**
 * The variables of a server: what its author declares, what the scan proposes, and what counts.
 *
 * @module
 */
import { z } from "zod";
import { judgeName } from "../../workers/analysis/secrets/names.ts";
import { nameText, proseText } from "../text/characters.ts";
import { isHostPattern, isSharedPattern } from "./hosts.ts";
import { SignInService } from "./services.ts";

/** Most secrets of a server with hosts: every answer in its sessions is searched for them. */
const SEALED_MAX = 10;
/** Most variables of a server. */
const VARIABLES_MAX = 100;
/** Most characters of a value. */
export const VALUE_MAX = 16_384;

/** Fewest characters of a secret with hosts: a shorter one can be guessed, and not be hidden. */
export const SEALED_MIN = 8;

/** What a value must look like. */
export const FORMATS = ["text", "number", "boolean", "url"] as const;

/** Names that belong to the sandbox: what they hold decides which code runs, and from where. */
const OF_SANDBOX = /^(PATH|HOME|PYTHON[A-Z0-9]+|(LD|DYLD)_[A-Z0-9_]+)$/;

/** The name of a variable. */
export const VariableName = z.string().regex(
  /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
  "must have only letters, digits and underscores, and must not start with a digit",
).refine(
  (name) => !OF_SANDBOX.test(name),
  "must not be one of the sandbox's own: PATH, HOME, Python's (PYTHONPATH), LD_… or DYLD_…",
).meta({ description: "Environment variable", example: "API_KEY" });

const text = (max: number) => nameText(z.string().trim().min(1).max(max));

const host = z.string().trim().toLowerCase().max(260).refine(
  isHostPattern,
  "must be a host such as api.example.com, *.example.com or api.example.com:8443",
).refine(
  (text) => !isSharedPattern(text),
  "must not allow hosts that anyone can get, as *.github.io does. Name your own",
).meta({ example: "api.example.com" });

const declared = {
  name: VariableName,
  required: z.boolean().optional().meta({
    description: "A session without it does not start. Default: false",
  }),
  secret: z.boolean().optional().meta({
    description: "Shown to nobody. By default judged by the name (KEY, TOKEN, PASSWORD)",
  }),
  description: proseText(z.string().trim().min(1).max(500)).optional(),
  default: z.string().min(1).max(1000).optional().meta({
    description: "Value where none is given. Not for secrets",
  }),
  format: z.enum(FORMATS).optional(),
  choices: z.array(text(200)).min(1).max(50).optional().meta({
    description: "The values that are allowed",
  }),
  hosts: z.array(host).min(1).max(20).optional().meta({
    description:
      "Where the secret may be sent. The server's code gets a placeholder, which Berth " +
      "replaces in requests to these hosts",
  }),
  exposed: z.boolean().optional().meta({
    description: "The code computes with the secret (signatures), so it gets the true value",
  }),
  oauth: SignInService.optional().meta({
    description: "Users sign in at this service, and the server gets the token, as a placeholder",
  }),
};

type Declared = z.infer<z.ZodObject<typeof declared>>;

/** Whether a variable's name is that of a secret. */
export function isSecretName(name: string): boolean {
  return judgeName(name) !== null;
}

function isSecret({ name, secret, oauth }: Pick<Declared, "name" | "secret" | "oauth">): boolean {
  return secret ?? (oauth !== undefined || isSecretName(name));
}

/** A variable as an author declares it. */
export const DeclaredVariable = z.strictObject(declared)
  .refine((variable) => variable.default === undefined || !isSecret(variable), {
    path: ["default"],
    message: "must not be set for a secret",
  })
  .refine((variable) => variable.hosts === undefined || isSecret(variable), {
    path: ["hosts"],
    message: "must be set for secrets only",
  })
  .refine(({ default: value, choices }) => !value || !choices || choices.includes(value), {
    path: ["default"],
    message: "must be one of the choices",
  })
  .refine((variable) => !variable.exposed || isSecret(variable), {
    path: ["exposed"],
    message: "must be set for secrets only",
  })
  .refine(
    (variable) =>
      variable.oauth === undefined ||
      isSecret(variable) && variable.hosts !== undefined && !variable.exposed &&
        variable.choices === undefined && (variable.format ?? "text") === "text",
    { path: ["oauth"], message: "must be set for secrets with hosts that are not exposed" },
  )
  .refine(({ default: value, format }) => !value || formatFault(format, value) === null, {
    path: ["default"],
    message: "must have the format",
  })
  .refine(({ choices = [], format }) => choices.every((one) => formatFault(format, one) === null), {
    path: ["choices"],
    message: "must have the format",
  })
  .meta({ id: "DeclaredVariable", description: "A variable as the author declares it" });
export type DeclaredVariable = z.infer<typeof DeclaredVariable>;

/** All variables that an author declares. */
export const Configuration = z.array(DeclaredVariable).max(VARIABLES_MAX).refine(
  (all) => new Set(all.map(({ name }) => name)).size === all.length,
  "must not contain two variables of one name",
).refine(
  (all) => all.filter(({ hosts }) => hosts !== undefined).length <= SEALED_MAX,
  `must not contain more than ${SEALED_MAX} secrets with hosts`,
).meta({
  description: "The variables of the server. null or absent: what the scan proposes",
});
export type Configuration = z.infer<typeof Configuration>;

/** How the server's code gets a value. */
export const DELIVERIES = ["plain", "placeholder"] as const;

/** A variable as clients and pages are told of it. */
export const Variable = z.object({
  name: VariableName,
  required: z.boolean(),
  secret: z.boolean(),
  description: z.string().nullable(),
  default: z.string().nullable(),
  format: z.enum(FORMATS),
  choices: z.array(z.string()),
  hosts: z.array(z.string()),
  proposed_hosts: z.array(z.string()).meta({
    description: "Of a secret without hosts: where the scan saw the code send it, for the author " +
      "to confirm. It decides nothing",
  }),
  exposed: z.boolean(),
  delivery: z.enum(DELIVERIES).meta({
    description: "placeholder: the code never gets the value. plain: it does",
  }),
  oauth: SignInService.nullable().meta({
    description: "Where users sign in for it; null: they enter it",
  }),
  from: z.enum(["author", "scan"]).meta({ description: "Who says so" }),
}).meta({ id: "Variable", description: "A variable that the server takes" });
export type Variable = z.infer<typeof Variable>;

/** What the scan says of a variable that the code reads. */
export interface ProposedVariable {
  name: string;
  required: boolean;
  secret?: boolean | undefined;
  description?: string | undefined;
  default?: string | undefined;
  choices?: string[] | undefined;
  hosts?: string[] | undefined;
}

/** Hosts that a scan proposes, as far as they could be declared. */
function proposedHosts(found: ProposedVariable | undefined): string[] {
  return (found?.hosts ?? []).filter((each) => host.safeParse(each).success).slice(0, 20);
}

function variableOf(
  given: DeclaredVariable,
  from: Variable["from"],
  found: ProposedVariable | undefined,
): Variable {
  const secret = isSecret(given);
  const { hosts = [], exposed = false } = given;
  return {
    name: given.name,
    required: given.required ?? false,
    secret,
    description: given.description ?? null,
    default: given.default ?? null,
    format: given.format ?? "text",
    choices: given.choices ?? [],
    hosts,
    proposed_hosts: secret && given.hosts === undefined && !exposed ? proposedHosts(found) : [],
    exposed,
    // Whether or not there are any: a stored declaration may have none that is still allowed.
    delivery: secret && given.hosts !== undefined && !exposed ? "placeholder" : "plain",
    oauth: given.oauth ?? null,
    from,
  };
}

function isWebAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}

function proposal({ name, required, ...more }: ProposedVariable): DeclaredVariable | null {
  const secret = isSecret({ name, secret: more.secret });
  const parsed = DeclaredVariable.safeParse({
    name,
    required,
    secret,
    ...(more.description === undefined ? {} : { description: more.description }),
    ...(more.default === undefined || secret ? {} : { default: more.default }),
    ...(more.choices === undefined
      ? isWebAddress(more.default) && !secret ? { format: "url" } : {}
      : { choices: more.choices }),
  });
  if (parsed.success) return parsed.data;
  return VariableName.safeParse(name).success ? { name, required, secret } : null;
}

/** What a repository's own texts say is not taken further than it is valid. */
export function proposed(found: readonly ProposedVariable[]): DeclaredVariable[] {
  return found.slice(0, VARIABLES_MAX).flatMap((each) => proposal(each) ?? []);
}

/** The variables that count: the author's, where there are some, else the scan's. */
export function variablesOf(
  configuration: Configuration | null,
  found: readonly ProposedVariable[],
): Variable[] {
  const byName = new Map(found.map((each) => [each.name, each]));
  const [from, all] = configuration === null
    ? ["scan" as const, proposed(found)]
    : ["author" as const, configuration];
  return all.map((each) => variableOf(each, from, byName.get(each.name)));
}

/**
 * Those that a client is asked for: what is required, and the secrets that an author declares, but for
 * what users sign in for.
 */
export function neededVariables<
  T extends Pick<Variable, "required" | "secret" | "from"> & { oauth?: unknown },
>(variables: readonly T[]): T[] {
  return variables.filter(({ required, secret, from, oauth = null }) =>
    oauth === null && (required || secret && from === "author")
  );
}

/** The header in which a client gives a variable to a session. */
export function headerOf(name: string): string {
  return `Mcp-Server-Env-${name.replaceAll("_", "-")}`;
}

/** What is wrong with the form of a value; null when nothing is. */
function formatFault(
  format: (typeof FORMATS)[number] | undefined,
  value: string,
): string | null {
  if (format === "number" && !/^-?\d+(\.\d+)?$/.test(value)) return "must be a number";
  if (format === "boolean" && !/^(true|false|0|1|yes|no|on|off)$/i.test(value)) {
    return "must be true or false";
  }
  if (format === "url" && !URL.canParse(value)) return "must be a URL";
  return null;
}

/** What examples and clients leave where nobody entered a value, or none was found. */
const NOT_FILLED_IN = /^(…|\.\.\.|\$\{(env:|input:)?[\w.-]+\})$/;

/** What is wrong with a value; null when nothing is. The value itself is never in the text. */
export function valueFault(
  variable: Pick<Variable, "choices" | "format" | "delivery"> | undefined,
  value: string,
): string | null {
  if (value === "") return "must not be empty";
  if (value.length > VALUE_MAX) return `must have at most ${VALUE_MAX} characters`;
  if (value.includes("\0") || !value.isWellFormed()) return "must not contain NUL characters";
  if (NOT_FILLED_IN.test(value.trim())) return "is a placeholder that was not filled in";
  if (variable === undefined) return null;
  const { choices, format, delivery } = variable;
  if (delivery === "placeholder" && value.length < SEALED_MIN) {
    return `must have at least ${SEALED_MIN} characters: a shorter one cannot be hidden from the code`;
  }
  if (choices.length > 0 && !choices.includes(value)) return `must be ${choices.join(" or ")}`;
  return formatFault(format, value);
}
