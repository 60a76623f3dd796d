/**
 * What `berth login` keeps, by registry: in a file that only its user can read, apart from the
 * configuration.
 *
 * @module
 */
import { z } from "zod";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { readIfThere, withLock, writeWhole } from "../../files.ts";
import { credentialsPath } from "../settings/paths.ts";

/** A sign-in at one registry. */
export const Credential = z.object({
  access_token: z.string(),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
  refresh_token: z.string().nullable(),
  /** Null for a token that was handed over, which cannot be refreshed. */
  issuer: z.string().nullable(),
  client_id: z.string().nullable(),
  /** Which token of the issuer's answer counts at the registry. */
  token: z.enum(["access_token", "id_token"]),
  username: z.string(),
});
export type Credential = z.infer<typeof Credential>;

const CredentialFile = z.object({
  version: z.literal(1),
  registries: z.record(z.string(), Credential),
});

async function readFile(path: string): Promise<z.infer<typeof CredentialFile>> {
  const text = await readIfThere(path);
  if (text === null) return { version: 1, registries: {} };
  try {
    return CredentialFile.parse(JSON.parse(text));
  } catch {
    // Not as its cause: a fault in JSON quotes the text, which is secret.
    throw new CliError(EXIT.failure, `${path} is not a valid berth credentials file`, {
      hint: "Remove that file, then sign in again",
    });
  }
}

/** The sign-in at `registry`, or null. */
export async function readCredential(
  context: CliContext,
  registry: string,
): Promise<Credential | null> {
  const { registries } = await readFile(credentialsPath(context));
  return Object.hasOwn(registries, registry) ? registries[registry]! : null;
}

/**
 * Changes the sign-in at `registry` while no other `berth` does: `change` gets what is stored now
 * and returns what is to be stored, null to forget it, or the same object to leave it.
 */
export async function changeCredential(
  context: CliContext,
  registry: string,
  change: (stored: Credential | null) => Promise<Credential | null>,
): Promise<Credential | null> {
  const path = credentialsPath(context);
  return await withLock(`${path}.lock`, async () => {
    const file = await readFile(path);
    const stored = Object.hasOwn(file.registries, registry) ? file.registries[registry]! : null;
    const next = await change(stored);
    if (next === stored) return next;
    const { [registry]: _, ...others } = file.registries;
    const registries = next === null ? others : { ...others, [registry]: next };
    const text = `${JSON.stringify({ version: 1, registries }, null, 2)}\n`;
    await writeWhole(path, text, { mode: 0o600, folderMode: 0o700 });
    return next;
  });
}
