/**
 * Who may read a server, on its manage page.
 *
 * @module
 */
import type { ServerAccess, Visibility } from "../../../access/schema.ts";
import { ButtonForm, Form, TextField } from "../../layout/forms.tsx";
import type { UserRequest } from "../../layout/signed_in.tsx";

const WHO: Record<Visibility, string> = {
  public: "Everyone can see and run it. The users and groups below count once it is private.",
  internal: "Every signed-in user can see and run it. The users and groups below count once it " +
    "is private.",
  private: "Only you, the other owners of its author name, administrators, and the users and " +
    "groups below can see and run it.",
};

function Readers({ request, action, kind, readers }: {
  request: UserRequest;
  action: string;
  kind: "user" | "group";
  readers: readonly string[];
}) {
  if (readers.length === 0) return null;
  return (
    <ul>
      {readers.map((reader) => (
        <li>
          <bdi>{reader}</bdi> <span class="quiet">{kind}</span>{" "}
          <ButtonForm
            request={request}
            action={action}
            label="Remove"
            about={`${kind} ${reader}`}
            fields={{ [kind]: reader, remove: "1" }}
          />
        </li>
      ))}
    </ul>
  );
}

/** The section: who reads it, and who is named. */
export function AccessSection({ request, server, access: { visibility, users, groups } }: {
  request: UserRequest;
  server: string;
  access: ServerAccess;
}) {
  const action = `/servers/${server}/manage/access`;
  const attributes = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  return (
    <section aria-labelledby="access">
      <h2 id="access">Access</h2>
      <p class="quiet">
        This server is <strong>{visibility}</strong>. {WHO[visibility]}{" "}
        Change its visibility with the details above. Whoever loses access has their sessions ended.
      </p>
      <Readers request={request} action={action} kind="user" readers={users} />
      <Readers request={request} action={action} kind="group" readers={groups} />
      <Form request={request} action={action} class="inline-form">
        <TextField view={{ name: "user", label: "Username", attributes }} />
        <button type="submit" class="secondary">Add user</button>
      </Form>
      <Form request={request} action={action} class="inline-form">
        <TextField
          view={{ name: "group", label: "Group of the identity provider", attributes }}
        />
        <button type="submit" class="secondary">Add group</button>
      </Form>
    </section>
  );
}
