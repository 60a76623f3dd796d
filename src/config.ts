/**
 * Configuration: environment variables only, parsed once. Names, defaults and meaning are listed
 * in `.env.example`.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { issueText } from "./issues.ts";
import { LOG_LEVELS } from "./log.ts";
import { wholeNumber } from "./numbers.ts";
import { appId, codeHostList } from "./code_host_settings.ts";
import { connectionClient, upstreamProviders } from "./provider_settings.ts";
import { rsaPrivateKey, secretsKeys, webhookSecrets } from "./secret_settings.ts";
import { httpUrl, isLoopback, json, list, secretUrl } from "./setting_types.ts";

const MAX_PORT = 65_535;

const port = wholeNumber({ min: 0, max: MAX_PORT });
const count = wholeNumber({ min: 1, max: 1_000_000 });
const seconds = wholeNumber({ min: 1, max: 86_400 });

/** A list of addresses and CIDRs. */
function networks() {
  return list().refine(
    (entries) => entries.every((entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)),
    "must be IP addresses or CIDR blocks, separated by commas",
  );
}

/** The address of a listener: no path, no credentials. */
const listenerUrl = httpUrl().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && `${url.protocol}//${url.host}` === text.toLowerCase();
}, "must be an address without a path, such as http://10.0.0.5:8001");

const environment = z.object({
  ROLE: z.enum(["all", "registry", "worker"]).default("all"),
  HOST: z.string().min(1).default("127.0.0.1"),
  REGISTRY_PORT: port.default(8000),
  WORKER_PORT: port.default(8001),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).optional(),
  REGISTRY_URL: httpUrl().optional(),
  WORKER_URL: httpUrl().optional(),
  NODE_URL: listenerUrl.optional(),
  NODE_LEASE_SECONDS: wholeNumber({ min: 2, max: 120 }).default(10),
  DRAIN_SECONDS: wholeNumber({ min: 0, max: 600 }).default(0),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    error: "must be a PostgreSQL address such as postgres://user@host:5432/berth",
  }).optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_AUDIENCE: list().optional(),
  OIDC_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLI_CLIENT_ID: z.string().optional(),
  UPSTREAM_PROVIDERS: json(upstreamProviders).optional(),
  SMTP_URL: z.url({
    protocol: /^smtps?$/,
    error: "must be a mail server's address such as smtp://mail.example.com:587",
  }).optional(),
  MAIL_FROM: z.string().optional(),
  PROVIDER_CLAIM: z.string().min(1).default("firebase"),
  ADMIN_SUBJECTS: list().default([]),
  ADMIN_CLAIM: z.string().optional(),
  AUTHOR_POLICY: z.enum(["claimed", "free"]).default("claimed"),
  READ_POLICY: z.enum(["public", "signed-in"]).default("public"),
  SIGN_IN_GROUPS_CLAIM: z.string().optional(),
  GITHUB_API_URL: httpUrl().default("https://api.github.com"),
  GITHUB_TOKEN: z.string().optional(),
  GITHUB_APP_ID: appId.optional(),
  GITHUB_APP_PRIVATE_KEY: rsaPrivateKey().optional(),
  GITHUB_APP_PRIVATE_KEY_FILE: z.string().optional(),
  CODE_HOSTS_ALLOW: list().optional(),
  CODE_HOSTS: codeHostList.optional(),
  OSV_API_URL: httpUrl().default("https://api.osv.dev"),
  OSV_DATABASE: z.string().optional(),
  PACKAGE_INDEX_URL: z.union([z.literal("none"), httpUrl()]).default("https://pypi.org/simple"),
  PYODIDE_PACKAGES_URL: z.string().min(1).default(
    "https://cdn.jsdelivr.net/pyodide/v{version}/full",
  ),
  SONAR_URL: httpUrl().optional(),
  SONAR_TOKEN: z.string().optional(),
  SONAR_PROJECT_KEY: z.string().max(200).regex(
    /^[\w.:{}-]*\{name\}[\w.:{}-]*$/,
    "must contain {name}, and otherwise only {owner}, letters, digits and - _ . :",
  ).default("{owner}_{name}"),
  SCAN_POLICY: z.enum(["record", "reject"]).default("record"),
  EXECUTION_POLICY: z.enum(["unless-failed", "passed", "any"]).default("unless-failed"),
  BUILD_POLICY: z.enum(["try", "off"]).default("try"),
  CAPABILITY_POLICY: z.enum(["show", "ask", "refuse"]).default("show"),
  TOOLS_POLICY: z.enum(["scanned", "marked"]).default("scanned"),
  INTERPRETER_PROFILE: z.enum(["restricted", "full"]).default("restricted"),
  EGRESS_ALLOW: list().default([]),
  EGRESS_HOSTS: list().default(["*"]),
  SESSION_IDLE_SECONDS: seconds.default(1800),
  PARK_AFTER_SECONDS: wholeNumber({ min: 0, max: 86_400 }).default(120),
  PARKED_MB: wholeNumber({ min: 1, max: 65_536 }).default(256),
  PARKED_STORE_MB: wholeNumber({ min: 0, max: 1_000_000 }).default(1024),
  CALL_TIMEOUT_SECONDS: seconds.default(60),
  SESSION_MEMORY_MB: wholeNumber({ min: 64, max: 4096 }).default(256),
  SESSIONS_PER_HOST: wholeNumber({ min: 1, max: 32 }).default(8),
  WARM_SESSIONS: wholeNumber({ min: 0, max: 64 }).default(2),
  SPARE_SESSIONS: wholeNumber({ min: 0, max: 64 }).default(2),
  IMAGES_MB: wholeNumber({ min: 0, max: 1_000_000 }).default(2048),
  PACKAGES_MB: wholeNumber({ min: 0, max: 1_000_000 }).default(4096),
  MAX_SESSIONS: count.optional(),
  SESSIONS_PER_CLIENT: count.default(50),
  CALLS_PER_MINUTE: count.default(600),
  EXECUTION_AUTH: z.enum(["optional", "required"]).default("optional"),
  RATE_LIMIT_PUBLIC: count.default(100),
  RATE_LIMIT_AUTHENTICATED: count.default(1000),
  SCANS_PER_HOUR: count.default(1000),
  TRUSTED_PROXIES: networks().default([]),
  SECRETS_KEY: secretsKeys().optional(),
  CONNECTION_CLIENTS: json(z.array(connectionClient).max(100)).default([]),
  PAYMENTS_WEBHOOK_SECRET: webhookSecrets().optional(),
  ARCHIVES_S3_URL: secretUrl.transform((text) => text.replace(/\/+$/, "")).optional(),
  ARCHIVES_S3_REGION: z.string().min(1).default("us-east-1"),
  ARCHIVES_S3_ACCESS_KEY_ID: z.string().optional(),
  ARCHIVES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  SCAN_DAYS: wholeNumber({ min: 0, max: 3650 }).default(400),
  AUDIT_DAYS: wholeNumber({ min: 0, max: 3650 }).default(0),
  CALL_RECORD_DAYS: wholeNumber({ min: 0, max: 3650 }).default(30),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  LOG_FORMAT: z.enum(["text", "json"]).optional(),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

/** Variables that may be in a file, which `<name>_FILE` names. */
const IN_FILES = ["GITHUB_APP_PRIVATE_KEY"] as const;

/** `variables` with what is in files, and the faults of those. */
function withFiles(
  variables: Record<string, string>,
  readFile: (path: string) => string,
): { variables: Record<string, string>; faults: string[] } {
  const all = { ...variables };
  const faults: string[] = [];
  for (const name of IN_FILES) {
    const file = variables[`${name}_FILE`] ?? "";
    if (file === "") continue;
    if ((variables[name] ?? "") !== "") faults.push(`${name}_FILE: must not be set beside ${name}`);
    try {
      all[name] = readFile(file);
    } catch {
      faults.push(`${name}_FILE: must name a file that Berth can read`);
    }
  }
  return { variables: all, faults };
}

/** Faults between variables, looked for among those that are valid by themselves. */
function crossFaults(env: Partial<Config>): string[] {
  const faults: string[] = [];
  if (env.OIDC_ISSUER && !env.OIDC_AUDIENCE?.length) {
    faults.push("OIDC_AUDIENCE: must be set when OIDC_ISSUER is set");
  }
  if (env.OIDC_CLI_CLIENT_ID && !env.OIDC_ISSUER) {
    faults.push("OIDC_ISSUER: must be set when OIDC_CLI_CLIENT_ID is set");
  }
  if (env.HOST !== undefined && !isLoopback(env.HOST)) {
    for (const name of ["REGISTRY_URL", "WORKER_URL"] as const) {
      if (!env[name]) {
        faults.push(`${name}: must be set when HOST (${env.HOST}) is not a loopback address`);
      }
    }
  }
  if (env.SMTP_URL && !env.MAIL_FROM) {
    faults.push("MAIL_FROM: must be set when SMTP_URL is set");
  }
  if (env.NODE_URL && !env.DATABASE_URL) {
    faults.push("DATABASE_URL: must be set when NODE_URL is set");
  }
  if (env.METRICS_HOST && env.METRICS_PORT === undefined) {
    faults.push("METRICS_PORT: must be set when METRICS_HOST is set");
  }
  if (env.REGISTRY_PORT && env.REGISTRY_PORT === env.WORKER_PORT && env.ROLE === "all") {
    faults.push("WORKER_PORT: must differ from REGISTRY_PORT");
  }
  if (env.CONNECTION_CLIENTS?.length && !env.SECRETS_KEY) {
    faults.push("SECRETS_KEY: must be set when CONNECTION_CLIENTS is set");
  }
  if (env.GITHUB_APP_ID && !env.GITHUB_APP_PRIVATE_KEY && !env.GITHUB_APP_PRIVATE_KEY_FILE) {
    faults.push("GITHUB_APP_PRIVATE_KEY: must be set when GITHUB_APP_ID is set");
  }
  if (env.GITHUB_APP_PRIVATE_KEY && !env.GITHUB_APP_ID) {
    faults.push("GITHUB_APP_ID: must be set when GITHUB_APP_PRIVATE_KEY is set");
  }
  if (env.ARCHIVES_S3_URL) {
    for (const name of ["ARCHIVES_S3_ACCESS_KEY_ID", "ARCHIVES_S3_SECRET_ACCESS_KEY"] as const) {
      if (!env[name]) faults.push(`${name}: must be set when ARCHIVES_S3_URL is set`);
    }
  }
  if (env.SONAR_TOKEN && !env.SONAR_URL) {
    faults.push("SONAR_URL: must be set when SONAR_TOKEN is set");
  }
  return faults;
}

/** The parsed environment. Optional variables that are unset are absent. */
export type Config = z.infer<typeof environment>;

/** Thrown by {@link parseConfig}: `message` names every bad variable, one per line. */
export class ConfigError extends Error {
  /** @param problems One line per error: the variable, then what it must be. */
  constructor(readonly problems: string[]) {
    const count = `${problems.length} error${problems.length === 1 ? "" : "s"}`;
    super(`Cannot start: ${count} in the configuration\n  ${problems.join("\n  ")}`);
    this.name = "ConfigError";
  }
}

/**
 * The configuration in `given`; empty variables count as unset, unknown ones are ignored.
 *
 * @param readFile Reads the files that variables name instead of a value.
 * @throws {ConfigError} Naming every bad variable at once. Values are not shown: they may be secret.
 */
export function parseConfig(
  given: Record<string, string>,
  readFile: (path: string) => string = Deno.readTextFileSync,
): Config {
  const values: Record<string, unknown> = {};
  const { variables, faults } = withFiles(given, readFile);
  for (const [name, schema] of Object.entries(environment.shape)) {
    const result = schema.safeParse(variables[name] === "" ? undefined : variables[name]);
    if (!result.success) {
      for (const issue of result.error.issues) faults.push(`${name}: ${issueText(issue)}`);
    } else if (result.data !== undefined) {
      values[name] = result.data;
    }
  }
  // Each value comes from its own schema, so what is there has its type.
  const config = values as Config;
  const broken = faults.map((fault) => fault.split(":")[0]);
  faults.push(...crossFaults(config).filter((fault) => !broken.includes(fault.split(":")[0])));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The public address of the registry listener, without a trailing slash. */
export function registryUrl(config: Config): string {
  return config.REGISTRY_URL ?? `http://${bracket(config.HOST)}:${config.REGISTRY_PORT}`;
}

/** The public address of the execution listener, without a trailing slash. */
export function workerUrl(config: Config): string {
  return config.WORKER_URL ?? `http://${bracket(config.HOST)}:${config.WORKER_PORT}`;
}

/** Address of the metrics listener, without a trailing slash; null where there is none. */
export function metricsUrl(config: Config): string | null {
  if (config.METRICS_PORT === undefined) return null;
  return `http://${bracket(config.METRICS_HOST ?? "127.0.0.1")}:${config.METRICS_PORT}`;
}

/** Whether running servers takes a token. */
export function needsToken(config: Config): boolean {
  return config.EXECUTION_AUTH === "required" || config.READ_POLICY === "signed-in";
}

function bracket(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
