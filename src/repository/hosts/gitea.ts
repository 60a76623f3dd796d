/**
 * The REST API of Gitea and Forgejo, version 1.
 *
 * @module
 */
import { z } from "zod";
import { ABSENT, CommitId, createJsonApi } from "./answers.ts";
import type { CodeHost, FoundRepository, OneHostDeps } from "./code_host.ts";

const NAME = /^[\w.-]{1,100}$/;
const RepositoryAnswer = z.object({
  name: z.string().regex(NAME),
  /** `visibility` is "limited" or "private" where others than all may see what is the owner's. */
  owner: z.object({ login: z.string().regex(NAME), visibility: z.string().optional() }),
  private: z.boolean(),
  internal: z.boolean().optional(),
  empty: z.boolean(),
  default_branch: z.string().max(500),
});
const Branch = z.object({ commit: z.object({ id: CommitId }) });
const Tag = z.object({ commit: z.object({ sha: CommitId }) });
const Commit = z.object({ sha: CommitId });
const Comparison = z.object({ total_commits: z.number() });

const PAGE = 50;
/** Pages of branches, and of tags, that are looked through for a commit. */
const MAX_PAGES = 10;

/** A ref in a path: its slashes stay. */
function escaped(ref: string): string {
  return ref.split("/").map(encodeURIComponent).join("/");
}

/** A client of a Gitea or a Forgejo, such as codeberg.org. */
export function createGitea(deps: OneHostDeps): CodeHost {
  const { settings: { host }, now } = deps;
  const api = createJsonApi(deps, (token) => `token ${token}`);
  const below = ({ owner, name }: Pick<FoundRepository, "owner" | "name">, path: string) =>
    `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}${path}`;
  const expected = [404, 409, 422];

  /** Whether `commit` is among those of the pages at `path`. */
  async function isListed(
    path: string,
    schema: z.ZodType<string>,
    commit: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    for (let page = 1; page <= MAX_PAGES; page++) {
      const asked = { schema: z.array(schema), expected, signal };
      const ids = await api.get(`${path}?page=${page}&limit=${PAGE}`, asked);
      if (ids === null || ids.length === 0) return false;
      if (ids.includes(commit)) return true;
    }
    return false;
  }

  return {
    host,
    now,
    async findRepository(address, signal) {
      const asked = { schema: RepositoryAnswer, expected: ABSENT, signal };
      const answer = await api.get(below(address, ""), asked);
      if (answer === null) return null;
      const { owner, name, empty, default_branch: branch } = answer;
      return {
        owner: owner.login,
        name,
        defaultBranch: empty || branch === "" ? null : branch,
        isPrivate: answer.private || answer.internal === true ||
          (owner.visibility ?? "public") !== "public",
      };
    },
    async findCommit(repository, { name, kind }, signal) {
      const ref = escaped(name);
      if (kind === null || kind === "branch") {
        const asked = { schema: Branch, expected, signal };
        const branch = await api.get(below(repository, `/branches/${ref}`), asked);
        if (branch !== null || kind === "branch") return branch?.commit.id ?? null;
      }
      if (kind === null || kind === "tag") {
        const asked = { schema: Tag, expected, signal };
        const tag = await api.get(below(repository, `/tags/${ref}`), asked);
        if (tag !== null || kind === "tag") return tag?.commit.sha ?? null;
      }
      // Asked for by ids only: the API resolves other names too, those of pull requests among them.
      if (!/^[0-9a-f]{4,64}$/i.test(name)) return null;
      const asked = { schema: Commit, expected, signal };
      return (await api.get(below(repository, `/git/commits/${ref}`), asked))?.sha ?? null;
    },
    async isOwnCommit(repository, commit, signal) {
      const range = `${escaped(repository.defaultBranch ?? "")}...${commit}`;
      const asked = { schema: Comparison, expected, signal };
      const comparison = await api.get(below(repository, `/compare/${range}`), asked);
      if (comparison?.total_commits === 0) return true;
      const branches = Branch.transform((branch) => branch.commit.id);
      const tags = Tag.transform((tag) => tag.commit.sha);
      return await isListed(below(repository, "/branches"), branches, commit, signal) ||
        await isListed(below(repository, "/tags"), tags, commit, signal);
    },
    openArchive: (repository, commit, signal) =>
      api.open(below(repository, `/archive/${commit}.tar.gz`), signal),
  };
}
