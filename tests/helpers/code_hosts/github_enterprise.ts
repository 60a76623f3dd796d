/**
 * A GitHub Enterprise Server on loopback: GitHub's API below a path of its own, without rate limits,
 * and, in its private mode, for nobody without a token.
 *
 * @module
 */
import { apiAnswer, type HostedRepository, notFound } from "../code_host_api.ts";
import { type ApiRequest, type LoopbackHost, startLoopbackHost } from "./loopback.ts";

/** The token that reads private repositories. */
export const ENTERPRISE_TOKEN = "ghp_0123456789";

/** Its answer in private mode. */
export function signInFirst(): Response {
  return Response.json({
    message: "Must authenticate to access this API.",
    documentation_url: "https://docs.github.com/enterprise-server@3.17/rest",
  }, { status: 401 });
}

function answer(request: ApiRequest): Promise<Response> | Response {
  const [scope, owner = "", name = "", ...parts] = request.path.slice(1).split("/")
    .map(decodeURIComponent);
  if (request.token !== null && request.token !== ENTERPRISE_TOKEN) {
    return Response.json({ message: "Bad credentials" }, { status: 401 });
  }
  const repository = scope === "repos" ? request.find(`${owner}/${name}`) : undefined;
  if (repository === undefined || (repository.private && request.token === null)) return notFound();
  if (parts[0] === "tarball") return request.archive(repository, parts[1] ?? "");
  return apiAnswer(repository, parts, parts.slice(1).join("/"), {
    accept: request.accept,
    archives: "",
  });
}

/** Starts a server that addresses name `git.example.com`. */
export function startGitHubEnterprise(
  repositories: HostedRepository[] = [],
  options: { archivesElsewhere?: boolean } = {},
): Promise<LoopbackHost> {
  const api = { kind: "github", base: "/api/v3", answer } as const;
  return startLoopbackHost(api, "git.example.com", repositories, options);
}
