/**
 * The frame of the profile's pages.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { ButtonForm } from "../layout/forms.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Tabs } from "../layout/tabs.tsx";

const TABS = [
  ["/profile", "Account and servers"],
  ["/profile/keys", "Keys"],
  ["/profile/code-hosts", "Code hosts"],
  ["/profile/tokens", "API tokens"],
  ["/profile/activity", "Activity"],
] as const;

/** Heading, tabs and content. */
export function ProfileFrame(
  { request, tab, children }: { request: UserRequest; tab: string; children: Child },
) {
  const { caller, links } = request;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{caller.username}</h1>
          <p class="quiet">{caller.email ?? "No e-mail address"}</p>
        </div>
        <ButtonForm request={request} action="/logout" label="Sign out" />
      </div>
      <Tabs links={links} label="Profile" tabs={TABS} current={tab} />
      {children}
    </>
  );
}
