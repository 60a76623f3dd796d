/**
 * Forms of the credentials of code hosts, package registries and developers' tools.
 *
 * @module
 */
import { type Format, token } from "../patterns.ts";

export const CODE_FORMATS: readonly Format[] = [
  {
    kind: "github-token",
    title: "GitHub token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: token(String.raw`gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}`),
    entropy: 3,
  },
  {
    kind: "gitlab-token",
    title: "GitLab token",
    hints: [
      ..."pat dt rtr cbt rt ft imt oas soat ffct wt agent ptt".split(" ").map((of) => `gl${of}-`),
      "GR1348941",
      "_gitlab_session",
    ],
    pattern:
      /(?<![\w-])(?:gl(?:pat|dt|rtr|cbt|rt|ft|imt|soat|ffct|wt)-(?:t\d_)?[\w-]{20,300}(?:\.[\w.]{2,40})?|gloas-[\w-]{64}|glagent-[\w-]{50,300}|glptt-[a-f0-9]{40}|GR1348941[\w-]{20})(?![\w-])|_gitlab_session=(?<secret>[a-z0-9]{32})/g,
    entropy: 3.2,
  },
  {
    kind: "bitbucket-token",
    title: "Bitbucket token",
    hints: ["ATBB", "ATCTT3", "bitbucket", "BITBUCKET", "Bitbucket"],
    pattern: token(String.raw`ATBB[A-Za-z0-9]{24,40}|ATCTT3[\w=-]{60,300}`),
    entropy: 3,
  },
  {
    kind: "atlassian-token",
    title: "Atlassian API token",
    hints: ["ATATT3", "ATLASSIAN"],
    pattern: token(String.raw`ATATT3[\w=-]{60,300}`),
  },
  {
    kind: "npm-token",
    title: "npm token",
    hints: ["npm_", "_authToken"],
    pattern:
      /(?<![\w-])npm_[A-Za-z0-9]{36}(?![\w-])|\/\/[\w.-]{1,100}\/[^\s:]{0,100}:_authToken\s{0,3}=\s{0,3}["\']?(?<secret>[A-Za-z0-9+/=_-]{20,400})/g,
    entropy: 3,
  },
  {
    kind: "pypi-token",
    title: "PyPI token",
    hints: ["pypi-AgE"],
    pattern: token(String.raw`pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZ)[\w-]{50,1000}`),
  },
  {
    kind: "rubygems-token",
    title: "RubyGems token",
    hints: ["rubygems_"],
    pattern: token(String.raw`rubygems_[a-f0-9]{48}`),
  },
  {
    kind: "clojars-token",
    title: "Clojars token",
    hints: ["CLOJARS_"],
    pattern: token(String.raw`CLOJARS_[a-z0-9]{60}`, "i"),
  },
  {
    kind: "crates-token",
    title: "crates.io token",
    hints: ["cio"],
    pattern: token(String.raw`cio[A-Za-z0-9]{32}`),
    entropy: 3.8,
  },
  {
    kind: "nuget-key",
    title: "NuGet API key",
    hints: ["oy2"],
    pattern: token(String.raw`oy2[a-z0-9]{43}`),
    entropy: 3.8,
  },
  {
    kind: "docker-token",
    title: "Docker Hub token",
    hints: ["dckr_"],
    pattern: token(String.raw`dckr_(?:pat|oat)_[\w-]{27,32}`),
  },
  {
    kind: "artifactory-token",
    title: "Artifactory token",
    hints: ["AKC", "cmVmd"],
    pattern: token(String.raw`AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}`),
    entropy: 3.5,
  },
  {
    kind: "sourcegraph-token",
    title: "Sourcegraph token",
    hints: ["sgp_", "ourcegraph", "OURCEGRAPH"],
    pattern:
      /(?<![\w-])sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}(?![\w-])|sourcegraph[\w.-]{0,20}["\']?\s{0,4}[:=]\s{0,4}["\']?(?<secret>[a-fA-F0-9]{40})(?![\w-])/gi,
    entropy: 3,
  },
  {
    kind: "sonar-token",
    title: "SonarQube token",
    hints: ["sqp_", "squ_", "sqa_"],
    pattern: token(String.raw`sq[pua]_[a-f0-9]{40}`),
  },
  {
    kind: "circleci-token",
    title: "CircleCI token",
    hints: ["CCIPAT_", "CCIPRJ_"],
    pattern: token(String.raw`CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}`),
  },
  {
    kind: "buildkite-token",
    title: "Buildkite token",
    hints: ["bkua_"],
    pattern: token(String.raw`bkua_[a-f0-9]{40}`),
  },
  {
    kind: "octopus-key",
    title: "Octopus Deploy key",
    hints: ["API-"],
    pattern: token(String.raw`API-[A-Z0-9]{26}`),
    entropy: 3.3,
    check: (value) => /\d/.test(value),
  },
  {
    kind: "postman-key",
    title: "Postman API key",
    hints: ["PMAK-"],
    pattern: token(String.raw`PMAK-[a-f0-9]{24}-[a-f0-9]{34}`),
  },
  {
    kind: "readme-key",
    title: "ReadMe API key",
    hints: ["rdme_"],
    pattern: token(String.raw`rdme_[a-z0-9]{70}`),
  },
  {
    kind: "linear-key",
    title: "Linear API key",
    hints: ["lin_"],
    pattern: token(String.raw`lin_(?:api|oauth)_[A-Za-z0-9]{40,64}`),
  },
  {
    kind: "figma-token",
    title: "Figma token",
    hints: ["figd_"],
    pattern: token(String.raw`figd_[\w-]{38,44}`),
  },
  {
    kind: "sentry-token",
    title: "Sentry token",
    hints: ["sntry"],
    // An organisation's token holds when it was issued and the address of its region.
    pattern:
      /(?<![\w-])(?:sntrys_eyJpYXQiO[A-Za-z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[A-Za-z0-9+/]{10,200}={0,2}_[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/])|sntryu_[a-f0-9]{64}(?![\w-]))/g,
    entropy: 3.2,
  },
  {
    kind: "grafana-token",
    title: "Grafana token",
    hints: ["glc_", "glsa_", "eyJrIjoi"],
    pattern: token(
      String
        .raw`glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|eyJrIjoi[A-Za-z0-9]{70,400}={0,3}`,
    ),
    entropy: 3.2,
  },
  {
    kind: "new-relic-key",
    title: "New Relic key",
    hints: ["NRAK-", "NRJS-", "NRII-", "NRAA-"],
    pattern: token(
      String.raw`NRAK-[A-Za-z0-9]{27}|NRJS-[a-f0-9]{19}|NRII-[\w-]{32}|NRAA-[a-f0-9]{27}`,
    ),
  },
  {
    kind: "dynatrace-token",
    title: "Dynatrace token",
    hints: ["dt0c01.", "dt0s"],
    pattern: token(String.raw`dt0(?:c|s)\d{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`),
  },
  {
    kind: "launchdarkly-key",
    title: "LaunchDarkly key",
    hints: ["sdk-", "api-", "mob-"],
    pattern: token(String.raw`(?:sdk|mob|api)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`),
  },
  {
    kind: "infracost-key",
    title: "Infracost key",
    hints: ["ico-"],
    pattern: /(?<![\w.-])ico-[A-Za-z0-9]{32}(?![\w-])/g,
    entropy: 3.5,
  },
  {
    kind: "harness-key",
    title: "Harness key",
    hints: ["sat.", "pat."],
    pattern: token(String.raw`[sp]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`),
  },
  {
    kind: "prefect-key",
    title: "Prefect key",
    hints: ["pnu_", "pnb_"],
    pattern: token(String.raw`pn[ub]_[A-Za-z0-9]{36}`),
  },
  {
    kind: "settlemint-token",
    title: "SettleMint token",
    hints: ["sm_"],
    pattern: token(String.raw`sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}`),
  },
  {
    kind: "authress-key",
    title: "Authress service key",
    hints: ["sc_", "ext_", "scauth_", "authress_"],
    pattern: token(
      String
        .raw`(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}`,
      "i",
    ),
  },
  {
    kind: "defined-networking-token",
    title: "Defined Networking key",
    hints: ["dnkey-"],
    pattern: token(String.raw`dnkey-[\w=-]{26}-[\w=-]{52}`),
  },
  {
    kind: "typeform-token",
    title: "Typeform token",
    hints: ["tfp_"],
    pattern: token(String.raw`tfp_[\w=.-]{59}`),
  },
  {
    kind: "tailscale-key",
    title: "Tailscale key",
    hints: ["tskey-"],
    pattern: token(
      String.raw`tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9]{10,20}-[A-Za-z0-9]{20,40}`,
    ),
  },
  {
    kind: "netlify-token",
    title: "Netlify token",
    hints: ["nfp_", "nfo_", "nfc_"],
    pattern: token(String.raw`nf[pocub]_[A-Za-z0-9]{36}`),
  },
  {
    kind: "vercel-token",
    title: "Vercel token",
    hints: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    pattern: token(String.raw`vc[piark]_[A-Za-z0-9]{24,60}`),
    entropy: 3.5,
  },
];
