/**
 * The server record: what clients send, what is stored, what lists and details show
 * (specification, "Server record").
 *
 * @module
 */
import currencies from "currency-codes";
import semver from "semver";
import parseSpdx from "spdx-expression-parse";
import { z } from "zod";
import { pageLimit } from "../numbers.ts";
import { ListedBuild } from "../scan/build_schema.ts";
import { CapabilityDecision, Runs } from "../scan/capabilities_schema.ts";
import { LANGUAGES, ListedReport, SecurityReport } from "../scan/schema.ts";
import { Source } from "../scan/source_schema.ts";
import { Configuration, Variable } from "../keys/variables.ts";
import { nameText, proseText, soughtText } from "../text/characters.ts";
import { Visibility } from "../access/schema.ts";
import { Category, Tag, Tags } from "./topics/categories.ts";

/** Pattern of server names. */
export const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A server's name: unique, lowercase with hyphens. */
export const ServerName = z.string().min(1).max(64).regex(
  NAME_PATTERN,
  "must be lowercase letters and digits, in words separated by single hyphens",
).meta({ description: "Unique identifier", example: "weather" });

function isSpdx(text: string): boolean {
  try {
    parseSpdx(text);
    return true;
  } catch {
    return false;
  }
}

function isEntrypoint(path: string): boolean {
  return !/[\\:]|^\s|\s$/.test(path) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

const NO_VERSION = "must be a semantic version such as 1.2.3";

// The library forgives blanks, line ends and a "v" before the number.
const version = z.string().max(256).regex(/^[0-9][0-9A-Za-z.+-]*$/, NO_VERSION)
  .refine((text) => semver.valid(text) !== null, NO_VERSION).meta({
    description: "Semantic version (2.0)",
    example: "1.0.0",
  });

const description = proseText(z.string().trim().min(1).max(4096))
  .meta({ example: "Weather by city" });

const author = nameText(z.string().trim().min(1).max(100))
  .meta({ description: "Creator or maintainer", example: "acme" });

const lang = z.string().transform((text) => text.toLowerCase()).pipe(z.enum(LANGUAGES))
  .meta({ description: "Programming language, case-insensitive", example: "python" });

const NO_LICENSE = "must be an SPDX license expression";

const license = z.string().min(1).max(256)
  .regex(/^[A-Za-z0-9.+:()-]+( [A-Za-z0-9.+:()-]+)*$/, NO_LICENSE).refine(isSpdx, NO_LICENSE)
  .meta({ description: "SPDX identifier or expression", example: "MIT" });

/** A relative path in its plain form, without `./` and doubled slashes; `..` stays what it is. */
export function plainPath(path: string): string {
  return path.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/^\.\//, "");
}

const entrypoint = nameText(z.string().min(1).max(512)).transform(plainPath)
  .refine(isEntrypoint, 'must be a relative path with forward slashes, without ".."')
  .meta({ description: "File to run, relative to the repository folder", example: "server.py" });

const repository = z.strictObject({
  type: z.literal("git").default("git"),
  url: nameText(z.string().min(1).max(2048)).meta({
    description: "Repository URL; /tree/<ref>/<folder> selects a ref and a folder",
    example: "https://github.com/acme/weather",
  }),
});

/** A tool's name, as records list it. */
export const ToolName = nameText(z.string().min(1).max(128))
  .refine((name) => name.trim() === name, "must not start or end with whitespace");

const tools = z.strictObject({
  count: z.int().min(0).optional(),
  names: z.array(ToolName).max(1000),
}).refine(({ names }) => new Set(names).size === names.length, {
  path: ["names"],
  message: "must not contain duplicates",
}).refine(({ count, names }) => count === undefined || count === names.length, {
  path: ["count"],
  message: "must equal the number of names",
});

const currency = z.string().transform((text) => text.toUpperCase())
  .refine((code) => currencies.code(code) !== undefined, "must be an ISO 4217 currency code")
  .meta({ example: "USD" });

function fitsCurrency(pricing: { currency: string; amount: number }): boolean {
  const digits = currencies.code(pricing.currency)?.digits ?? 2;
  return Number(pricing.amount.toFixed(digits)) === pricing.amount;
}

const pricing = z.strictObject({
  currency,
  amount: z.number().min(0).max(1e9).meta({ description: "0 means free", example: 0 }),
}).refine(fitsCurrency, {
  path: ["amount"],
  message: "must not have more decimal places than the currency",
});

// What the service manages; accepted so that a client can send back what it got, then dropped.
const managed = {
  security_report: z.unknown().optional(),
  source: z.unknown().optional(),
  meta: z.unknown().optional(),
  id: z.unknown().optional(),
  payment_required: z.unknown().optional(),
  build: z.unknown().optional(),
  capabilities: z.unknown().optional(),
  capability_decision: z.unknown().optional(),
  publisher_verified: z.unknown().optional(),
  repository_private: z.unknown().optional(),
  variables: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
};

function dropManaged<T extends Record<string, unknown>>(input: T): Omit<T, keyof typeof managed> {
  const kept = Object.entries(input).filter(([key]) => !Object.hasOwn(managed, key));
  return Object.fromEntries(kept) as Omit<T, keyof typeof managed>;
}

const writable = {
  version,
  description,
  author: author.optional(),
  lang,
  license,
  entrypoint,
  repository,
  tools: tools.optional(),
  pricing: pricing.optional(),
  configuration: Configuration.nullable().optional(),
  category: Category.nullable().optional().meta({
    description: "What the server is for. null or absent: proposed from its name, tools and " +
      "description",
  }),
  tags: Tags.nullable().optional().meta({
    description: "Words that it is found by. null or absent: proposed, as the category is",
  }),
  visibility: Visibility.optional().meta({
    description: "Who may read the server. Absent: private where the repository became a private " +
      "one, else as before; of a new server public",
  }),
};

/** Body of a creation before managed fields are dropped; documented as it stands. */
const CreateServerBody = z.strictObject({ name: ServerName, ...writable, ...managed })
  .meta({ id: "CreateServer", description: "A server to register" });

/** Body of a creation. */
export const CreateServer = CreateServerBody.transform(dropManaged);
export type CreateServer = z.infer<typeof CreateServer>;

/** Body of an update before managed fields are dropped; documented as it stands. */
const UpdateServerBody = z.strictObject({
  name: ServerName.optional().meta({ description: "Must equal the name in the URL when present" }),
  ...z.strictObject(writable).partial().shape,
  ...managed,
}).meta({ id: "UpdateServer", description: "Fields to change" });

/** Body of an update: any subset of the writable fields. */
export const UpdateServer = UpdateServerBody.transform(dropManaged);
export type UpdateServer = z.infer<typeof UpdateServer>;

const shown = {
  name: ServerName,
  version: z.string(),
  description: z.string(),
  author: z.string(),
  lang: z.enum(LANGUAGES),
  license: z.string(),
  entrypoint: z.string(),
  repository: z.object({ type: z.string(), url: z.string() }),
  tools: z.object({ count: z.int(), names: z.array(z.string()) }),
  pricing: z.object({ currency: z.string(), amount: z.number() }),
  category: Category,
  tags: z.array(z.string()).meta({ description: "Words that it is found by" }),
  visibility: Visibility,
  build: ListedBuild.nullable(),
  capabilities: z.array(Runs).meta({
    description: "What its tools run that their callers write, because they are for it",
  }),
  publisher_verified: z.boolean().meta({
    description:
      "Whether the default branch of the repository, as it was scanned, names the account that published it",
  }),
};

/** A server as lists show it. */
export const ServerListed = z.object({ ...shown, security_report: ListedReport })
  .meta({ id: "ServerListed" });
export type ServerListed = z.infer<typeof ServerListed>;

/** A server with everything that is public about it. */
export const ServerDetail = z.object({
  ...shown,
  capability_decision: CapabilityDecision.nullable().meta({
    description: "Under CAPABILITY_POLICY=ask: whether an administrator lets a server with " +
      "capabilities run. Null elsewhere, and for servers without any",
  }),
  payment_required: z.boolean().meta({
    description:
      "Whether running it requires a payment. False for free servers, and where payments are disabled",
  }),
  configuration: Configuration.nullable().meta({
    description: "What the author declares of the server's variables; null where nothing is",
  }),
  variables: z.array(Variable).meta({
    description:
      "The variables that the server takes: those of `configuration`, else those that the scan found",
  }),
  security_report: SecurityReport,
  source: Source,
  repository_private: z.boolean().meta({
    description: "Whether what was scanned came from a repository that some may not read at its " +
      "code host. What is published of it, its archive too, is for all who may read the server",
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}).meta({ id: "ServerDetail" });
export type ServerDetail = z.infer<typeof ServerDetail>;

/** Orders of a list. */
export const SORTS = ["name", "updated", "created", "popular", "relevance"] as const;

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

// An empty text is no number, though it can be made one.
const maxPrice = z.string().regex(/^\d{1,10}(\.\d{1,10})?$/, "must be an amount such as 4.50")
  .transform(Number).meta({
    type: "number",
    minimum: 0,
    description: "Maximum price in any currency; 0 for free servers",
    example: 4.5,
  });

/** Query of a list. Unknown parameters are refused by name. */
export const ListQuery = z.strictObject({
  author: soughtText(z.string().max(400)).optional().meta({
    description: "Exact match, case-insensitive",
  }),
  q: soughtText(z.string().max(400)).optional().meta({
    description: "Words to find in name, description and tools",
  }),
  lang: lang.optional(),
  tool: soughtText(z.string().max(128)).optional().meta({
    description: "Name of a tool the server must have",
  }),
  license: soughtText(z.string().max(256)).optional(),
  capability: z.enum([...Runs.options, "none"]).optional().meta({
    description: "What tools of the server must run that their callers write; none: none of it",
  }),
  max_price: maxPrice.optional(),
  scan_passed: flag.optional(),
  category: Category.optional(),
  tag: Tag.optional().meta({ description: "A tag that the server must have" }),
  runs_here: flag.optional().meta({
    description: "Whether its build on this installation started and listed its tools",
  }),
  sort: z.enum(SORTS).default("name").meta({
    description: "popular: by the calls of the last 30 days",
  }),
  limit: pageLimit({ max: 1000, standard: 1000 }),
  cursor: z.string().max(1024).optional().meta({
    description: "next_cursor or previous_cursor from a page of this list",
  }),
});
export type ListQuery = z.infer<typeof ListQuery>;
