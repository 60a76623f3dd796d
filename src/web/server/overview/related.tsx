/**
 * Servers that belong beside this one.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import { type RelatedServer, relatedServers } from "../../../registry/servers/related.ts";
import { plural } from "../../../text/plural.ts";
import type { PageRequest } from "../../layout/context.ts";
import { firstSentence } from "../tools/lines.tsx";

const SHOWN = 5;
const SENTENCE_MAX = 100;

function why({ sameAuthor, sameCategory, sharedTools }: RelatedServer): string {
  return [
    sharedTools > 0 ? `${plural(sharedTools, "tool")} of the same name` : null,
    sameAuthor ? "same author" : null,
    sameCategory ? "same category" : null,
  ].filter((part) => part !== null).join(", ");
}

/** A few servers of the same author or category, or with the same tools; nothing where there are none. */
export async function Related({ request, server }: { request: PageRequest; server: ServerDetail }) {
  const { name, author, category, tools: { names: tools } } = server;
  const about = { name, author, category, tools };
  const related = await relatedServers(
    request.services.sql,
    about,
    request.visitor.caller,
    SHOWN,
  );
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="related" class="related">
      <h2 id="related">Related servers</h2>
      <ul>
        {related.map((one) => (
          <li>
            <a href={request.links.path(`/servers/${one.name}`)}>{one.name}</a>
            <p class="small">
              <bdi>{firstSentence(one.summary, SENTENCE_MAX)}</bdi>
            </p>
            <p class="small quiet">{why(one)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
