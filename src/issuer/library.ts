/**
 * The parts of `oidc-provider` in use. Its main module is left out as it prints to the terminal
 * that it does not know this runtime.
 *
 * @module
 */
import type Provider from "oidc-provider";
import type { errors } from "oidc-provider";
import { Provider as ProviderClass } from "oidc-provider/lib/provider.js";
import * as errorClasses from "oidc-provider/lib/helpers/errors.js";

/** An OpenID provider: a set of routes over an adapter. */
export type OpenIdProvider = Provider;

/** The present OpenID provider: another one after each change of keys. */
export type CurrentProvider = () => Promise<OpenIdProvider>;

/** Makes an OpenID provider. */
export const OpenIdProvider: typeof Provider = ProviderClass as unknown as typeof Provider;

/** The provider's own failures, with the `error` that clients get. */
export const openIdErrors: typeof errors = errorClasses as unknown as typeof errors;
