/**
 * Whose a key is, told by the usual name of its variable, and which hosts belong to whom.
 *
 * @module
 */
import { judgeName } from "../../secrets/names.ts";

/** Somebody who gives out keys. */
export interface Provider {
  name: string;
  /** The beginning of the variables' names. */
  variables: RegExp;
  /** Domains to which its keys may go; none for keys that no request carries. */
  domains: readonly string[];
}

/**
 * Services of language models speak each other's protocols: servers offer any of them behind the
 * variable of another, and gateways in front of all.
 */
const MODELS = (
  "openai.com azure.com anthropic.com googleapis.com google.com mistral.ai cohere.ai cohere.com " +
  "groq.com deepseek.com openrouter.ai together.xyz together.ai fireworks.ai perplexity.ai x.ai " +
  "huggingface.co replicate.com aliyuncs.com moonshot.cn moonshot.ai bigmodel.cn z.ai minimax.chat " +
  "minimax.io minimaxi.com siliconflow.cn siliconflow.com volces.com baidubce.com lingyiwanwu.com " +
  "stability.ai nvidia.com cerebras.ai sambanova.ai deepinfra.com novita.ai hyperbolic.xyz " +
  "lepton.ai ai21.com voyageai.com jina.ai helicone.ai portkey.ai cloudflare.com amazonaws.com " +
  "github.ai githubcopilot.com requesty.ai litellm.ai braintrust.dev langchain.com vercel.sh " +
  "elevenlabs.io assemblyai.com deepgram.com stepfun.com"
).split(" ");

function provider(name: string, variables: string, domains: string | readonly string[]): Provider {
  return {
    name,
    variables: new RegExp(`^(?:${variables})(?:_|$)`),
    domains: typeof domains === "string"
      ? domains.split(" ").filter((each) => each !== "")
      : domains,
  };
}

const PROVIDERS: readonly Provider[] = [
  provider(
    "services of language models",
    "(?:AZURE_)?OPENAI|ANTHROPIC|CLAUDE|GEMINI|MISTRAL|COHERE|GROQ|DEEPSEEK|OPENROUTER|TOGETHER" +
      "(?:_?AI)?|FIREWORKS|PERPLEXITY|PPLX|XAI|GROK|HF|HUGGING_?FACE(?:HUB)?|REPLICATE|DASHSCOPE|" +
      "MOONSHOT|ZHIPU(?:AI)?|SILICONFLOW|ELEVENLABS|VOYAGE|JINA|NVIDIA|CEREBRAS|LANGCHAIN|LANGSMITH",
    MODELS,
  ),
  provider("AWS", "AWS|AMAZON", "amazonaws.com amazonaws.com.cn aws.amazon.com amazon.com api.aws"),
  provider(
    "Azure",
    "AZURE|ARM",
    "azure.com microsoft.com microsoftonline.com windows.net azure.net azure.us azure.cn",
  ),
  provider(
    "Google",
    "GOOGLE|GCP|GCLOUD|YOUTUBE|FIREBASE",
    "googleapis.com google.com firebaseio.com cloudfunctions.net run.app youtube.com firebaseapp.com",
  ),
  provider(
    "GitHub",
    "GITHUB|GH",
    "github.com githubusercontent.com ghe.com ghcr.io github.ai githubcopilot.com azure.com",
  ),
  provider("GitLab", "GITLAB|CI_JOB", "gitlab.com"),
  provider(
    "Bitbucket and Atlassian",
    "BITBUCKET|ATLASSIAN|JIRA|CONFLUENCE",
    "bitbucket.org atlassian.net atlassian.com",
  ),
  provider("Slack", "SLACK", "slack.com slack-gov.com"),
  provider("Stripe", "STRIPE", "stripe.com"),
  provider("Twilio", "TWILIO", "twilio.com"),
  provider("SendGrid", "SENDGRID", "sendgrid.com"),
  provider("Mailgun", "MAILGUN", "mailgun.net mailgun.com"),
  provider("npm", "NPM|NODE_AUTH", "npmjs.org npmjs.com github.com"),
  provider("PyPI", "PYPI|TWINE", "pypi.org"),
  provider("Docker", "DOCKER|DOCKERHUB", "docker.com docker.io"),
  provider("Cloudflare", "CLOUDFLARE|CF", "cloudflare.com workers.dev cloudflarestorage.com"),
  provider("DigitalOcean", "DIGITALOCEAN|DO", "digitalocean.com digitaloceanspaces.com"),
  provider("Heroku", "HEROKU", "heroku.com"),
  provider("Vercel", "VERCEL", "vercel.com vercel.sh vercel-storage.com"),
  provider("Netlify", "NETLIFY", "netlify.com"),
  provider("Notion", "NOTION", "notion.com notion.so"),
  provider("Linear", "LINEAR", "linear.app"),
  provider("Airtable", "AIRTABLE", "airtable.com"),
  provider("Discord", "DISCORD", "discord.com discordapp.com discord.gg"),
  provider("Telegram", "TELEGRAM|TG", "telegram.org"),
  provider("Datadog", "DATADOG|DD", "datadoghq.com datadoghq.eu ddog-gov.com"),
  provider("Sentry", "SENTRY", "sentry.io"),
  provider("Supabase", "SUPABASE", "supabase.co supabase.com supabase.in"),
  provider("Shopify", "SHOPIFY", "myshopify.com shopify.com"),
  provider("HubSpot", "HUBSPOT", "hubapi.com hubspot.com"),
  provider("Twitter", "TWITTER|X_API", "twitter.com x.com"),
  provider("Pinecone", "PINECONE", "pinecone.io"),
  provider("Snowflake", "SNOWFLAKE", "snowflakecomputing.com"),
  provider("Databricks", "DATABRICKS", "databricks.com azuredatabricks.net"),
  provider("Okta", "OKTA", "okta.com oktapreview.com okta-emea.com"),
  provider("PayPal", "PAYPAL", "paypal.com"),
  provider("Dropbox", "DROPBOX", "dropbox.com dropboxapi.com"),
  provider("Figma", "FIGMA", "figma.com"),
  provider("Asana", "ASANA", "asana.com"),
  provider("Coinbase", "COINBASE", "coinbase.com"),
  provider("Binance", "BINANCE", "binance.com binance.us binance.vision"),
  provider(
    "a Kubernetes cluster",
    "KUBERNETES_SERVICE_ACCOUNT",
    "kubernetes.default.svc svc.cluster.local",
  ),
  // A request has no business with these.
  provider(
    "a database or this machine",
    "DATABASE|DB|PG|PGPASSWORD|POSTGRES(?:QL)?|MYSQL|MARIADB|MONGO(?:DB)?|REDIS|SSH|GPG|DJANGO|" +
      "FLASK|JWT|ENCRYPTION|SUDO|ROOT|WALLET|MNEMONIC|SEED_PHRASE",
    "",
  ),
];

/** Whole addresses of databases have their password in them. */
const WITH_PASSWORD =
  /^(?:DATABASE_URL|POSTGRES(?:QL)?_(?:URL|URI)|MONGO(?:DB)?_(?:URL|URI)|REDIS_URL)$|_DSN$/;
/** Keys by names that no rule of names takes for one. */
const BY_NAME =
  /^(?:PGPASSWORD|AWS_ACCESS_KEY_ID|MNEMONIC|SEED_PHRASE|WALLET_SEED|DOCKER_AUTH_CONFIG)$|_(?:PAT|PK|MNEMONIC)$/;
/** What a language model's tokens cost: `COST_PER_INPUT_TOKEN`. */
const COUNTS_TOKENS = /(^|_)(COST|PRICE)_PER_([A-Z]+_)?TOKENS?$/;
/** Words before a name that say nothing of whose it is. */
const BEFORE = /^(?:MY|MCP|APP|USER|DEFAULT|PROD|STAGING|DEV|TEST|VITE|NEXT_PUBLIC|REACT_APP)_/;

const upper = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");

/** Whether a variable of this name holds a credential. */
export function isKey(variable: string): boolean {
  const name = upper(variable);
  // The usual name of the path of a file.
  if (/_SECRETS$/.test(name) || COUNTS_TOKENS.test(name)) return false;
  return BY_NAME.test(name) || WITH_PASSWORD.test(name) || judgeName(name) !== null;
}

/** Who gave out the key in a variable of this name; null when its name does not say. */
export function providerOf(variable: string): Provider | null {
  if (!isKey(variable)) return null;
  const name = upper(variable).replace(BEFORE, "");
  return PROVIDERS.find(({ variables }) => variables.test(name)) ?? null;
}

/** Services of language models whose keys a larger provider gives out, by its name above. */
const PARTS: readonly [variables: RegExp, of: string][] = [
  [/^AZURE_/, "Azure"],
  [/^GEMINI_/, "Google"],
];

/** Whether keys may all be of one provider: any of them is tried for the same service. */
export function haveOneIssuer(variables: readonly string[]): boolean {
  const issuers = variables.map((variable) => {
    const name = upper(variable).replace(BEFORE, "");
    const larger = PARTS.filter(([variables]) => variables.test(name)).map(([, of]) => of);
    return new Set([providerOf(variable)?.name, ...larger]);
  });
  const [first, ...others] = issuers;
  return first !== undefined && [...first].some((name) => others.every((each) => each.has(name)));
}

const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** Whether a key of the provider has business at the host. */
export function mayGoTo({ domains }: Provider, host: string): boolean {
  return domains.some((domain) => isBelow(host, domain));
}

const COLLECTORS = (
  "webhook.site requestbin.com requestbin.net pipedream.net pipedream.com ngrok.io ngrok.app " +
  "ngrok-free.app ngrok.dev trycloudflare.com loca.lt serveo.net localhost.run burpcollaborator.net " +
  "oastify.com interact.sh oast.fun oast.pro oast.live oast.site oast.online oast.me dnslog.cn " +
  "ceye.io requestcatcher.com hookbin.com beeceptor.com requestinspector.com postb.in mockbin.org " +
  "mockbin.io typedwebhook.tools webhookrelay.com hookdeck.com smee.io pastebin.com hastebin.com " +
  "paste.ee dpaste.com dpaste.org ix.io sprunge.us transfer.sh file.io 0x0.st termbin.com " +
  "rentry.co canarytokens.com bashupload.com temp.sh gofile.io anonfiles.com httpbin.org ntfy.sh"
).split(" ");
const HOOKS =
  /(?:discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot|hooks\.slack\.com|hooks\.zapier\.com|hook\.\w+\.make\.com|maker\.ifttt\.com|script\.google\.com\/macros)/i;

/** Whether an address is a place where anybody collects what is sent. */
export function isCollector(host: string, address: string): boolean {
  return COLLECTORS.some((domain) => isBelow(host, domain)) || HOOKS.test(address);
}
