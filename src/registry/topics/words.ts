/**
 * The words that tell what a server is for.
 *
 * @module
 */
import type { Category } from "./categories.ts";

/** A word without a plural's s, as the tables have it. */
export function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|ws|dns|sms|css)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function table(words: string): readonly string[] {
  return words.trim().split(/\s+/).map(singular);
}

/** Words of each category. A word may stand in several. */
export const CATEGORY_WORDS: Record<Exclude<Category, "other">, readonly string[]> = {
  "developer-tools": table(`
    git github gitlab gitea bitbucket repository commit branch merge pull diff code coding compiler
    debug debugger lint linter refactor test testing ci pipeline build npm pypi package dependency
    sdk api openapi swagger jenkins jira issue regex json yaml jwt uuid python javascript typescript
    rust developer ide vscode stack trace sentry error release figma`),
  data: table(`
    sql database postgres postgresql mysql mariadb sqlite redis mongodb duckdb clickhouse snowflake
    bigquery oracle cassandra neo4j elasticsearch query schema table row column analytic dataset csv
    parquet pivot warehouse kafka supabase airtable graphql aggregate statistic chart report`),
  web: table(`
    web browser fetch crawl crawler scrape scraper url website html playwright puppeteer
    selenium rss feed sitemap http link google bing brave duckduckgo screenshot`),
  communication: table(`
    mail email gmail outlook smtp imap mailbox inbox message chat slack discord teams telegram
    whatsapp signal matrix sms twilio call phone notification notify channel thread conversation
    mailchimp newsletter intercom`),
  productivity: table(`
    calendar event meeting task todo todoist reminder note notion obsidian evernote trello asana
    linear kanban board project planning plan schedule appointment agenda caldav confluence wiki
    bookmark habit miro sprint timesheet harvest holiday`),
  documents: table(`
    file filesystem folder directory document pdf docx word excel spreadsheet sheet powerpoint slide
    markdown ocr scan drive dropbox nextcloud bucket storage upload download archive form typeform
    convert`),
  knowledge: table(`
    wikipedia paper arxiv pubmed doi citation abstract research science scientific literature library
    book zotero encyclopedia article bibliography math physics chemistry biology medical course
    education learn flashcard recipe`),
  ai: table(`
    ai model llm openai anthropic gemini ollama embedding vector rag memory remember recall knowledge
    graph prompt agent reasoning think thinking thought completion inference huggingface similar`),
  media: table(`
    image photo picture video audio music song playlist spotify youtube ffmpeg transcribe transcript
    speech voice whisper diffusion render svg camera resize crop podcast plex subtitle generate design`),
  cloud: table(`
    kubernetes cluster pod docker container deployment deploy aws azure gcp cloud cloudflare terraform
    ansible server host ssh dns grafana prometheus datadog metric monitor monitoring log alert
    incident pagerduty vercel lambda serverless infrastructure vm rollout s3`),
  security: table(`
    security vulnerability cve exploit malware virus virustotal password secret breach semgrep audit
    whois pentest threat phishing certificate encrypt encryption firewall reputation`),
  finance: table(`
    payment pay invoice stripe paypal bank banking balance transaction money currency exchange stock
    share dividend crypto bitcoin ethereum coin wallet price trading market tax accounting bookkeeping
    ledger xero quickbook budget refund rate`),
  business: table(`
    customer crm hubspot salesforce shop shopify woocommerce store order product inventory stock ticket
    support zendesk freshdesk lead deal sale contact odoo erp marketing campaign shippo shipping
    discount`),
  places: table(`
    weather forecast map openstreetmap geocode geocoding route city country place travel flight airport
    train railway departure hotel bike transit tide location address distance earthquake wetter meteo
    météo vorhersage warnung prévision 天気`),
  home: table(`
    home light lamp sensor thermostat heating temperature device iot mqtt zigbee hue assistant printer
    robot vacuum energy solar`),
  social: table(`
    mastodon bluesky twitter reddit linkedin instagram facebook tiktok hacker news headline post
    timeline social story comment ghost blog`),
  utilities: table(`
    calculator calculate arithmetic unit convert timezone time zone clock date translate translation
    language dictionary deepl synonym random password regex text word counter percentage`),
};

/** Tags, each with the words that stand for it besides its own. */
const TAG_WORDS: Record<string, string> = {
  email: "mail gmail outlook imap smtp mailbox",
  calendar: "caldav appointment",
  sql: "query postgres postgresql mysql mariadb sqlite duckdb snowflake bigquery",
  postgres: "postgresql",
  mysql: "mariadb",
  sqlite: "",
  redis: "",
  mongodb: "",
  github: "",
  gitlab: "",
  git: "repository",
  slack: "",
  discord: "",
  telegram: "",
  chat: "message conversation",
  sms: "",
  weather: "forecast wetter vorhersage",
  maps: "map geocode openstreetmap route",
  travel: "flight hotel train airport",
  search: "",
  browser: "playwright puppeteer",
  scraping: "crawl crawler scrape extract",
  pdf: "",
  spreadsheets: "excel sheet spreadsheet airtable",
  files: "file filesystem folder",
  storage: "bucket s3 dropbox drive nextcloud",
  notes: "note obsidian notion",
  tasks: "task todo reminder todoist",
  issues: "issue jira linear ticket",
  images: "image photo picture",
  video: "youtube ffmpeg",
  audio: "speech voice whisper transcribe",
  music: "spotify playlist",
  kubernetes: "pod",
  docker: "container",
  aws: "",
  monitoring: "metric grafana prometheus datadog alert",
  logs: "log",
  dns: "",
  payments: "payment stripe paypal refund",
  invoices: "invoice",
  crypto: "bitcoin coin ethereum",
  stocks: "dividend",
  currency: "",
  crm: "hubspot salesforce",
  ecommerce: "shop shopify woocommerce",
  support: "zendesk freshdesk",
  news: "headline",
  papers: "paper arxiv pubmed doi",
  translation: "translate deepl",
  memory: "remember recall",
  rag: "embedding vector",
  "smart-home": "hue mqtt thermostat",
  vulnerabilities: "vulnerability cve",
  code: "",
  ci: "pipeline jenkins",
  time: "timezone",
  math: "calculator arithmetic",
};

/** The tag that a word stands for. */
export const TAG_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(TAG_WORDS).flatMap(([tag, words]) =>
    [tag, ...words.split(" ")].filter((word) => word !== "")
      .map((word) => [singular(word), tag] as const)
  ),
);
