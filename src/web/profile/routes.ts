/**
 * The profile's pages.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import type { Page } from "../layout/context.ts";
import { signedIn } from "../layout/signed_in.tsx";
import { changeUsername, showAccount, signOutEverywhere } from "./account.tsx";
import { showActivity } from "./activity.tsx";
import { answerOffer } from "./offers.tsx";
import { makeToken, revokeToken, showTokens } from "./tokens.tsx";

/** Adds the routes. */
export function addProfile(app: Hono<HttpEnv>, page: Page): void {
  app.get("/profile", page(signedIn((request) => showAccount(request))));
  app.post("/profile/username", page(signedIn(changeUsername)));
  app.post("/profile/offers", page(signedIn(answerOffer)));
  app.post("/profile/sign-out-everywhere", page(signedIn(signOutEverywhere)));
  app.get("/profile/tokens", page(signedIn((request) => showTokens(request))));
  app.post("/profile/tokens", page(signedIn(makeToken)));
  app.post("/profile/tokens/:id/revoke", page(signedIn(revokeToken)));
  app.get("/profile/activity", page(signedIn(showActivity)));
}
