/**
 * The variables of a server, for people who decide whether to give it their keys.
 *
 * @module
 */
import type { Variable } from "../../../keys/variables.ts";
import { serviceLabel } from "../../../keys/services.ts";
import { Codes, Table } from "../../layout/parts.tsx";

function used({ secret, delivery, hosts, exposed, oauth }: Variable): string {
  if (!secret) return "read by the code";
  if (oauth !== null) {
    return `a token of ${serviceLabel(oauth)}, where you sign in; sent only to ${
      hosts.join(", ")
    }; the code never sees it`;
  }
  if (delivery === "placeholder") return `sent only to ${hosts.join(", ")}; the code never sees it`;
  return exposed
    ? "the code computes with it and sees it"
    : "the code sees it and can send it anywhere";
}

export function VariablesTable({ variables }: { variables: readonly Variable[] }) {
  return (
    <Table label="Variables" columns={["Name", "About", "Needed", "Use"]} stack>
      {variables.map((variable) => (
        <tr>
          <th scope="row">
            <code>{variable.name}</code>
          </th>
          <td data-label="About">
            <bdi>{variable.description ?? (variable.secret ? "A secret" : "A setting")}</bdi>
            {variable.choices.length === 0 ? null : (
              <>
                <br />
                One of: <Codes texts={variable.choices} />
              </>
            )}
            {variable.default === null ? null : (
              <>
                <br />
                Default: <Codes texts={[variable.default]} />
              </>
            )}
          </td>
          <td data-label="Needed">{variable.required ? "yes" : "no"}</td>
          <td data-label="Use">{used(variable)}</td>
        </tr>
      ))}
    </Table>
  );
}
