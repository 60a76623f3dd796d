/**
 * Wiring of the embedded issuer.
 *
 * @module
 */
import { now } from "../clock.ts";
import type { Refusal } from "../audit/refusals.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import { ownAddresses, resolveName } from "../egress/machine.ts";
import type { OwnEndpoint } from "../egress/own.ts";
import type { Health } from "../figures/health.ts";
import { isLoopbackHost } from "../http/plumbing/host_check.ts";
import type { IssuerServices } from "../http/services.ts";
import type { IdentityDeps } from "../identity/caller.ts";
import { issuerAddress } from "../issuer/address.ts";
import { createBackground } from "../issuer/background.ts";
import { clientExtension } from "../issuer/clients/extension.ts";
import { createDocumentFetch } from "../issuer/clients/fetch_document.ts";
import { CLI_CLIENT, WEB_CLIENT } from "../issuer/first_party.ts";
import type { IssuerDeps, IssuerExtensions } from "../issuer/deps.ts";
import { mergeExtensions } from "../issuer/extensions.ts";
import { accountsElsewhere } from "../issuer/failures.ts";
import { type Issuer, startIssuer } from "../issuer/issuer.ts";
import { createKeys } from "../issuer/keys/keys.ts";
import { type Mailer, smtpMailer, terminalMailer } from "../issuer/mail.ts";
import { MAX_FORM_BYTES } from "../issuer/request.ts";
import { upstreamExtension } from "../issuer/upstream/extension.ts";
import { createAttempts } from "../limits/attempts.ts";
import type { Logger } from "../log.ts";

/** Berth's own clients at the embedded issuer. */
export const OWN_CLIENTS: readonly string[] = [WEB_CLIENT, CLI_CLIENT];

/** Audience of the embedded issuer's tokens. */
export const EMBEDDED_AUDIENCE = "berth";

/** What the issuer needs beside the configuration. */
export interface IssuerOptions {
  config: Config;
  sql: Sql;
  log: Logger;
  /** Public addresses of the listeners, without a trailing slash. */
  publicUrl: string;
  workerUrl: string;
  /** Where Berth and its database listen: a stranger's client id leads to none of them. */
  endpoints: OwnEndpoint[];
  /** Writes a line on the operator's terminal, past the log. */
  announce: (line: string) => void;
  /** Takes note of a refused sign-in for the audit log. */
  noteRefusal: (refusal: Refusal) => void;
  /** Learns whether mail leaves. */
  health: Health;
}

/** `mailer`, which tells whether its messages leave. */
function watched(mailer: Mailer, health: Health): Mailer {
  return {
    ...mailer,
    async send(message) {
      try {
        await mailer.send(message);
        health.note("mail", { state: "works", detail: "The last message left" });
      } catch (error) {
        health.note("mail", { state: "fails", detail: "The last message did not leave" });
        throw error;
      }
    },
  };
}

function mailerOf({ config, announce, health }: IssuerOptions): Mailer | null {
  if (config.SMTP_URL !== undefined) {
    return watched(smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM! }), health);
  }
  health.note("mail", { state: "off", detail: "SMTP_URL is not set" });
  // On a machine of one's own, who reads the terminal is the user.
  return isLoopbackHost(config.HOST) ? terminalMailer(announce) : null;
}

/** Clients that bring themselves along, and sign-in through other providers. */
function extensionsOf({ config, sql, log, publicUrl, endpoints }: IssuerOptions): IssuerExtensions {
  return mergeExtensions(
    clientExtension({
      sql,
      now,
      attempts: createAttempts(sql),
      issuer: issuerAddress(publicUrl).issuer,
      fetchDocument: createDocumentFetch({
        policy: { allow: [], hosts: ["*"] },
        own: ownAddresses(endpoints),
        resolve: resolveName,
      }),
    }),
    upstreamExtension({ sql, fetch, now, log }, config.UPSTREAM_PROVIDERS ?? []),
  );
}

function issuerDeps(options: IssuerOptions): IssuerDeps {
  const { config, sql, log } = options;
  return {
    sql,
    log,
    now,
    newId: () => crypto.randomUUID(),
    address: issuerAddress(options.publicUrl),
    workerUrl: options.workerUrl,
    audience: EMBEDDED_AUDIENCE,
    providerClaim: config.PROVIDER_CLAIM,
    keys: createKeys({ sql, now }),
    attempts: createAttempts(sql),
    mailer: mailerOf(options),
    announce: options.announce,
    adminsConfigured: config.ADMIN_SUBJECTS.length > 0 || config.ADMIN_CLAIM !== undefined,
    noteRefusal: options.noteRefusal,
    background: createBackground(log),
    extensions: extensionsOf(options),
  };
}

/** Starts the issuer of a node that has the registry listener; null with `OIDC_ISSUER`. */
export async function startEmbeddedIssuer(options: IssuerOptions): Promise<Issuer | null> {
  if (options.config.OIDC_ISSUER !== undefined) {
    options.health.note("mail", { state: "off", detail: "OIDC_ISSUER signs users in" });
    return null;
  }
  const deps = issuerDeps(options);
  if (deps.mailer === null) {
    options.log.warn("issuer.no_mail", {
      effect: "accounts take an invitation by an administrator, and passwords cannot be reset",
      fix: "set SMTP_URL and MAIL_FROM",
    });
  }
  return await startIssuer(deps);
}

/** How tokens of the embedded issuer are checked, on any node: by the keys in the database. */
export function embeddedProvider(
  options: { config: Config; sql: Sql; publicUrl: string },
): NonNullable<IdentityDeps["provider"]> {
  const { config, sql, publicUrl } = options;
  return {
    findKey: createKeys({ sql, now }).findKey,
    rules: {
      issuer: issuerAddress(publicUrl).issuer,
      audiences: [EMBEDDED_AUDIENCE],
      providerClaim: config.PROVIDER_CLAIM,
    },
  };
}

/** The issuer's half of the registry listener. */
export function issuerServices(issuer: Issuer): IssuerServices {
  return { maxBodyBytes: MAX_FORM_BYTES, handle: issuer.handle };
}

/** Invitations, which need accounts of Berth's own. */
export function invitationsOf(issuer: Issuer | null): Issuer["invite"] {
  return issuer?.invite ?? (() => Promise.reject(accountsElsewhere()));
}
