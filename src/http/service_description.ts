/**
 * What a client has to know of a Berth before it can use it: addresses, and where to sign in.
 *
 * @module
 */
import { CAPABILITY_POLICIES } from "../scan/capabilities_schema.ts";
import { z } from "zod";
import { EXECUTION_POLICIES, INTERPRETER_PROFILES } from "../execution/admission/runnable.ts";

/** Where a client signs in. */
const SignInDescription = z.object({
  issuer: z.string().meta({ description: "OpenID issuer whose tokens are accepted" }),
  client_id: z.string().nullable().meta({
    description: "OAuth client id for the command line; null if none is configured",
  }),
  audience: z.string().nullable().meta({ description: "Audience that tokens must have" }),
  scope: z.string().meta({ description: "Scopes to request" }),
}).meta({ id: "SignIn" });

/** A Berth, as its clients need it. */
export const ServiceDescription = z.object({
  name: z.literal("Berth"),
  version: z.string(),
  api_url: z.string().meta({
    description: "Base URL of the registry API, including the version path",
  }),
  mcp_url: z.string().meta({ description: "URL of the execution endpoint, without a query" }),
  sign_in: SignInDescription.nullable(),
  execution: z.object({
    policy: z.enum(EXECUTION_POLICIES).meta({
      description: "Which scan results are allowed to run",
    }),
    profile: z.enum(INTERPRETER_PROFILES).meta({ description: "Feature set of the interpreter" }),
    capabilities: z.enum(CAPABILITY_POLICIES).meta({
      description: "What becomes of servers whose tools run SQL, commands or code of their callers",
    }),
  }),
}).meta({ id: "Service" });
export type ServiceDescription = z.infer<typeof ServiceDescription>;

/** An example for the API description. */
export const SERVICE_EXAMPLE: ServiceDescription = {
  name: "Berth",
  version: "0.1.0",
  api_url: "http://127.0.0.1:8000/api/v1",
  mcp_url: "http://127.0.0.1:8001/mcp",
  sign_in: {
    issuer: "http://127.0.0.1:8000/oidc",
    client_id: "berth-cli",
    audience: "berth",
    scope: "openid email offline_access berth",
  },
  execution: { policy: "unless-failed", profile: "restricted", capabilities: "show" },
};
