/**
 * What to do about a scan's findings.
 *
 * @module
 */
import { Prose } from "../../layout/prose.tsx";
import type { SecurityReport } from "../../../scan/schema.ts";

/** The recommendations as a list, most urgent first. */
export function RecommendationList(
  { shown }: { shown: SecurityReport["recommendation_details"] },
) {
  return (
    <ol class="todo">
      {shown.map(({ title, action, priority }) => (
        <li>
          <span class={`severity ${priority}`}>{priority}</span>{" "}
          <strong>
            <Prose text={title} />
          </strong>
          <br />
          <Prose text={action} />
        </li>
      ))}
    </ol>
  );
}
