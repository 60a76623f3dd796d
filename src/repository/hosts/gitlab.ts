/**
 * GitLab's REST API, version 4.
 *
 * @module
 */
import { z } from "zod";
import { ABSENT, CommitId, createJsonApi } from "./answers.ts";
import type { CodeHost, FoundRepository, OneHostDeps } from "./code_host.ts";

const Project = z.object({
  id: z.number().int().positive(),
  path_with_namespace: z.string().max(1000).regex(/^[\w.-]+(?:\/[\w.-]+)+$/),
  visibility: z.string(),
  /** Who may read the code; absent for those who may not change the project, in old versions. */
  repository_access_level: z.string().optional(),
  /** Absent, null or empty where there is no commit. */
  default_branch: z.string().max(500).nullish(),
});
const NamedCommit = z.object({ commit: z.object({ id: CommitId }) });
const Commit = z.object({ id: CommitId });
const Refs = z.array(z.object({ type: z.string(), name: z.string() }));

/** A client of gitlab.com, or of a GitLab of one's own. */
export function createGitLab(deps: OneHostDeps): CodeHost {
  const { settings: { host }, now } = deps;
  const api = createJsonApi(deps, (token) => `Bearer ${token}`);
  const below = ({ id }: FoundRepository, path: string) => `/projects/${id}/repository${path}`;
  const expected = [400, 404];

  async function named(path: string, signal: AbortSignal | undefined): Promise<string | null> {
    return (await api.get(path, { schema: NamedCommit, expected, signal }))?.commit.id ?? null;
  }

  return {
    host,
    now,
    async findRepository({ owner, name }, signal) {
      // A project that was moved is redirected to, by its number.
      const answer = await api.get(`/projects/${encodeURIComponent(`${owner}/${name}`)}`, {
        schema: Project,
        expected: ABSENT,
        signal,
      });
      if (answer === null) return null;
      const path = answer.path_with_namespace.split("/");
      return {
        owner: path.slice(0, -1).join("/"),
        name: path.at(-1)!,
        defaultBranch: answer.default_branch || null,
        isPrivate: answer.visibility !== "public" ||
          (answer.repository_access_level ?? "enabled") !== "enabled",
        id: answer.id,
      };
    },
    async findCommit(repository, { name, kind }, signal) {
      const ref = encodeURIComponent(name);
      if (kind === null || kind === "branch") {
        const commit = await named(below(repository, `/branches/${ref}`), signal);
        if (commit !== null || kind === "branch") return commit;
      }
      if (kind === null || kind === "tag") {
        const commit = await named(below(repository, `/tags/${ref}`), signal);
        if (commit !== null || kind === "tag") return commit;
      }
      // Asked for by ids only: the API resolves other names too, those of merge requests among them.
      if (!/^[0-9a-f]{7,64}$/i.test(name)) return null;
      const path = below(repository, `/commits/${ref}`);
      return (await api.get(path, { schema: Commit, expected, signal }))?.id ?? null;
    },
    async isOwnCommit(repository, commit, signal) {
      const path = below(repository, `/commits/${commit}/refs?type=all&per_page=1`);
      const refs = await api.get(path, { schema: Refs, expected, signal });
      return refs !== null && refs.length > 0;
    },
    openArchive: (repository, commit, signal) =>
      api.open(below(repository, `/archive.tar.gz?sha=${commit}`), signal),
  };
}
