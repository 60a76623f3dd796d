/**
 * The frame of the administrators' pages.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { TextField } from "../layout/forms.tsx";
import { showPage } from "../layout/respond.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { Tabs } from "../layout/tabs.tsx";

const TABS = [
  ["/admin", "Overview"],
  ["/admin/users", "Users"],
  ["/admin/invitations", "Invitations"],
  ["/admin/servers", "Servers"],
  ["/admin/capabilities", "Capabilities"],
  ["/admin/scans", "Scans"],
  ["/admin/sessions", "Sessions"],
  ["/admin/audit", "Audit log"],
  ["/admin/configuration", "Configuration"],
] as const;

/** Shows an administrators' page. */
export function showAdmin(
  request: UserRequest,
  { tab, title, content, status = 200 }: {
    tab: string;
    title: string;
    content: Child;
    status?: 200 | 400 | 409;
  },
): Promise<Response> {
  return showPage(
    request,
    { title: `${title} · Administration`, section: "admin" },
    <>
      <h1>Administration</h1>
      <Tabs links={request.links} label="Administration" tabs={TABS} current={tab} />
      {content}
    </>,
    { status },
  );
}

export function NameFilter(
  { request, action, value }: { request: UserRequest; action: string; value: string },
) {
  return (
    <form method="get" action={request.links.path(action)} class="inline-form">
      <TextField
        view={{
          name: "q",
          label: "Name starts with",
          value,
          required: false,
          attributes: { autocomplete: "off" },
        }}
      />
      <button type="submit" class="secondary">Filter</button>
    </form>
  );
}
