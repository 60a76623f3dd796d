/**
 * Berth's own clients. Both are public: what a user's machine holds is no secret.
 *
 * @module
 */
import type { ClientMetadata } from "oidc-provider";
import { looksOf } from "../text/skeleton.ts";
import type { IssuerAddress } from "./address.ts";

/** The web application. */
export const WEB_CLIENT = "berth-web";
/** The command line. */
export const CLI_CLIENT = "berth-cli";

const WEB_NAME = "Berth";
const CLI_NAME = "Berth command line";

const NO_WORD = /[^\p{L}\p{N}]+/u;
const OWN_LOOK = looksOf(WEB_NAME)[0]!;

/** Words of a look; single letters that follow each other are one word. */
function wordsOf(look: string): string[] {
  return look.split(NO_WORD).join(" ").replace(/(?<=(?<!\S)\S) (?=\S(?!\S))/g, "").split(" ");
}

/**
 * Whether a client's name seems to say that it is Berth's own: one of its words has what looks like
 * "Berth", or it begins so, with or without something between the letters.
 */
export function isFirstPartyName(name: string): boolean {
  return looksOf(name).some((look) => {
    const words = wordsOf(look);
    return words.some((word) => word.includes(OWN_LOOK)) || words.join("").startsWith(OWN_LOOK);
  });
}

/** Where the web application takes the authorization code. */
const WEB_CALLBACK_PATH = "/login/callback";

const CODE = "authorization_code";
const REFRESH = "refresh_token";
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

/** Metadata of both clients. */
export function firstPartyClients(address: IssuerAddress): ClientMetadata[] {
  return [
    {
      client_id: WEB_CLIENT,
      client_name: WEB_NAME,
      application_type: "web",
      token_endpoint_auth_method: "none",
      grant_types: [CODE, REFRESH],
      response_types: ["code"],
      redirect_uris: [`${address.publicUrl}${WEB_CALLBACK_PATH}`],
      post_logout_redirect_uris: [`${address.publicUrl}/`],
    },
    {
      client_id: CLI_CLIENT,
      client_name: CLI_NAME,
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: [CODE, REFRESH, DEVICE],
      response_types: ["code"],
      // On loopback any port will do (RFC 8252, section 7.3).
      redirect_uris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
    },
  ];
}
