/**
 * Fields in which an author declares the service at which users sign in for a variable.
 *
 * @module
 */
import type { SignInService } from "../../../keys/services.ts";
import { fieldOf, TextField } from "../../layout/forms.tsx";

/** Fields with one text each. */
const TEXTS = [
  ["service", "Name of the service", "For people, such as GitHub"],
  ["issuer", "Issuer", "Where the service publishes its endpoints: https://accounts.google.com"],
  ["authorization_endpoint", "Authorization endpoint", "Its sign-in page, where it has no issuer"],
  ["token_endpoint", "Token endpoint", "On the same host"],
  ["revocation_endpoint", "Revocation endpoint", "On the same host"],
  ["scopes", "Scopes", "What the server may do there, separated by spaces"],
  ["client_id", "Client id", "Of a client without a secret"],
  ["parameters", "Parameters", "access_type=offline prompt=consent"],
] as const;

type SignInText = (typeof TEXTS)[number][0];
/** A service as the form has it; all empty: none. */
export type SignInRow = Record<SignInText, string>;

/** No service. */
export const NO_SIGN_IN: SignInRow = {
  service: "",
  issuer: "",
  authorization_endpoint: "",
  token_endpoint: "",
  revocation_endpoint: "",
  scopes: "",
  client_id: "",
  parameters: "",
};

/** The service as fields. */
export function signInRowOf(service: SignInService | null): SignInRow {
  if (service === null) return NO_SIGN_IN;
  const { scopes, parameters = {} } = service;
  return {
    service: service.service ?? "",
    issuer: service.issuer ?? "",
    authorization_endpoint: service.authorization_endpoint ?? "",
    token_endpoint: service.token_endpoint ?? "",
    revocation_endpoint: service.revocation_endpoint ?? "",
    client_id: service.client_id ?? "",
    scopes: scopes.join(" "),
    parameters: Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(" "),
  };
}

/** What was sent for the row at `at`. */
export function readSignInRow(form: URLSearchParams, at: number): SignInRow {
  const pairs = TEXTS.map(([name]) => [name, fieldOf(form, `${at}-oauth-${name}`)]);
  return Object.fromEntries(pairs) as SignInRow;
}

function words(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The fields as a body of the API has them; null when none is filled in. */
export function signInOfRow({ scopes, parameters, ...texts }: SignInRow): unknown {
  const given = Object.entries(texts).filter(([, text]) => text !== "");
  const pairs = words(parameters).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  if (given.length === 0 && scopes === "" && pairs.length === 0) return null;
  return {
    ...Object.fromEntries(given),
    scopes: words(scopes),
    ...(pairs.length === 0 ? {} : { parameters: Object.fromEntries(pairs) }),
  };
}

/** The fields, folded away where they are empty. */
export function SignInFields({ at, row }: { at: number; row: SignInRow }) {
  const isUsed = Object.values(row).some((text) => text !== "");
  return (
    <details class="more" open={isUsed}>
      <summary>Users sign in at another service for it</summary>
      <div class="field-grid">
        {TEXTS.map(([name, label, hint]) => (
          <TextField
            view={{
              name: `${at}-oauth-${name}`,
              label,
              value: row[name],
              required: false,
              hint,
              attributes: { autocomplete: "off", spellcheck: "false" },
            }}
          />
        ))}
      </div>
    </details>
  );
}
