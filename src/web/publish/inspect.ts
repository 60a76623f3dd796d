/**
 * Looking at a repository before it is registered: what can be filled in.
 *
 * @module
 */
import { tooManyLookups } from "../failures.ts";
import type { Rule } from "../../limits/window.ts";
import { CreateServer } from "../../registry/schema.ts";
import { EMPTY_FORM, type RecordForm } from "../server/manage/fields.tsx";
import type { WebServices } from "../services.ts";

const TIMEOUT_MS = 60_000;
/** Each look fetches a whole repository. */
const RULE: Rule = { max: 60, windowSeconds: 3600 };

/** What was found. */
export interface Inspected {
  form: RecordForm;
  /** Where the values of fields came from. */
  sources: Partial<Record<keyof RecordForm, string>>;
  commit: string;
  files: number;
  /** Whether some may not read the repository. */
  isPrivate: boolean;
}

function validName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
  return plain.replace(/-+$/, "");
}

/** Whether `version` is one that the registry takes. */
function validVersion(version: string): string | null {
  const probe = CreateServer.safeParse({
    name: "x",
    version,
    description: "x",
    lang: "python",
    license: "MIT",
    entrypoint: "x.py",
    repository: { url: "x" },
  });
  return probe.success ? version : null;
}

/** Looks at the repository at `url` for `userId`. @throws {AppError} As fetching does, and `rate_limited`. */
export async function inspectRepository(
  { inspect, attempts }: Pick<WebServices, "inspect" | "attempts">,
  url: string,
  userId: string,
): Promise<Inspected> {
  const taken = await attempts.take(`web inspect ${userId}`, RULE);
  if (!taken.allowed) throw tooManyLookups(Math.max(1, taken.retryAfterSeconds));
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { repository: fetched, facts: found } = await inspect({ url, reader: userId, signal });
  const version = validVersion(found.version);
  const values: Partial<RecordForm> = {
    name: validName(found.name ?? fetched.name),
    ...(version === null ? {} : { version }),
    ...(found.description === undefined
      ? {}
      : { description: found.description.replace(/[^\P{C}\n\t]/gu, "").slice(0, 4096) }),
    ...(found.lang === undefined ? {} : { lang: found.lang }),
    ...(found.license === undefined ? {} : { license: found.license }),
    ...(found.entrypoint === undefined ? {} : { entrypoint: found.entrypoint }),
  };
  const sources = Object.fromEntries(
    Object.keys(values).map((name) => [name, "Found in the repository"]),
  );
  return {
    form: { ...EMPTY_FORM, ...values, repository: url },
    sources,
    commit: fetched.commit,
    files: fetched.files.size,
    isPrivate: fetched.isPrivate,
  };
}
