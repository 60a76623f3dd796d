/**
 * `/admin/configuration`: the limits and policies that are set.
 *
 * @module
 */
import { Table } from "../layout/parts.tsx";
import type { UserRequest } from "../layout/signed_in.tsx";
import { showAdmin } from "./frame.tsx";

export async function showConfiguration(request: UserRequest): Promise<Response> {
  return await showAdmin(request, {
    tab: "/admin/configuration",
    title: "Configuration",
    content: (
      <>
        <h2>Limits and policies</h2>
        <p class="quiet">
          Set with environment variables. See .env.example for what each one does.
        </p>
        <Table label="Limits" dense columns={["Variable", "Value"]}>
          {request.services.limits.map(([name, value]) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </Table>
      </>
    ),
  });
}
