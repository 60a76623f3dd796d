/**
 * Hosts of the services whose keys have usual names, as the services' own documentation has them. Only
 * what says by its whole name whose it is.
 *
 * @module
 */

const ROWS = `
  GITHUB_TOKEN GH_TOKEN GITHUB_PAT GITHUB_API_TOKEN GITHUB_PERSONAL_ACCESS_TOKEN > api.github.com
  GITLAB_TOKEN GITLAB_PERSONAL_ACCESS_TOKEN > gitlab.com
  OPENAI_API_KEY > api.openai.com
  ANTHROPIC_API_KEY > api.anthropic.com
  GEMINI_API_KEY > generativelanguage.googleapis.com
  MISTRAL_API_KEY > api.mistral.ai
  COHERE_API_KEY > api.cohere.com
  GROQ_API_KEY > api.groq.com
  DEEPSEEK_API_KEY > api.deepseek.com
  OPENROUTER_API_KEY > openrouter.ai
  TOGETHER_API_KEY > api.together.xyz
  PERPLEXITY_API_KEY > api.perplexity.ai
  XAI_API_KEY > api.x.ai
  HF_TOKEN HUGGINGFACE_TOKEN HUGGINGFACEHUB_API_TOKEN > huggingface.co router.huggingface.co
  REPLICATE_API_TOKEN > api.replicate.com
  ELEVENLABS_API_KEY > api.elevenlabs.io
  GOOGLE_MAPS_API_KEY > maps.googleapis.com places.googleapis.com routes.googleapis.com
  YOUTUBE_API_KEY > www.googleapis.com youtube.googleapis.com
  SLACK_TOKEN SLACK_BOT_TOKEN SLACK_USER_TOKEN SLACK_API_TOKEN > slack.com files.slack.com
  NOTION_TOKEN NOTION_API_KEY NOTION_API_TOKEN > api.notion.com
  LINEAR_API_KEY > api.linear.app
  AIRTABLE_API_KEY AIRTABLE_TOKEN > api.airtable.com
  DISCORD_TOKEN DISCORD_BOT_TOKEN > discord.com
  TELEGRAM_BOT_TOKEN > api.telegram.org
  STRIPE_API_KEY STRIPE_SECRET_KEY > api.stripe.com
  TWILIO_AUTH_TOKEN > api.twilio.com
  SENDGRID_API_KEY > api.sendgrid.com
  BRAVE_API_KEY BRAVE_SEARCH_API_KEY > api.search.brave.com
  TAVILY_API_KEY > api.tavily.com
  SERPAPI_API_KEY SERPAPI_KEY > serpapi.com
  SERPER_API_KEY > google.serper.dev
  EXA_API_KEY > api.exa.ai
  FIRECRAWL_API_KEY > api.firecrawl.dev
  OPENWEATHER_API_KEY OPENWEATHERMAP_API_KEY > api.openweathermap.org
  NEWS_API_KEY NEWSAPI_KEY > newsapi.org
  ALPHA_VANTAGE_API_KEY ALPHAVANTAGE_API_KEY > www.alphavantage.co
  FINNHUB_API_KEY > finnhub.io
  POLYGON_API_KEY > api.polygon.io
  TMDB_API_KEY > api.themoviedb.org
  NASA_API_KEY > api.nasa.gov
  CLOUDFLARE_API_TOKEN > api.cloudflare.com
  DIGITALOCEAN_TOKEN DIGITALOCEAN_ACCESS_TOKEN > api.digitalocean.com
  HEROKU_API_KEY > api.heroku.com
  VERCEL_TOKEN > api.vercel.com
  NETLIFY_AUTH_TOKEN > api.netlify.com
  FIGMA_API_KEY FIGMA_ACCESS_TOKEN FIGMA_TOKEN > api.figma.com
  ASANA_ACCESS_TOKEN > app.asana.com
  TRELLO_API_KEY TRELLO_TOKEN > api.trello.com
  TODOIST_API_TOKEN TODOIST_API_KEY > api.todoist.com
  HUBSPOT_ACCESS_TOKEN > api.hubapi.com
  SENTRY_AUTH_TOKEN > sentry.io
  PAGERDUTY_API_KEY > api.pagerduty.com
`;

const HOSTS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.trim().split("\n").flatMap((row) => {
    const [names, hosts] = row.split(">").map((side) => side.trim().split(/\s+/)) as [
      string[],
      string[],
    ];
    return names.map((name) => [name, hosts] as const);
  }),
);

/** Hosts of the service whose key a variable of this name usually holds; none where it does not say. */
export function usualHosts(variable: string): readonly string[] {
  return HOSTS.get(variable) ?? [];
}
