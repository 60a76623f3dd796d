/**
 * Forms of the credentials of AI services and of the services that agents use.
 *
 * @module
 */
import { type Format, token } from "../patterns.ts";

export const AI_FORMATS: readonly Format[] = [
  {
    kind: "openai-key",
    title: "OpenAI API key",
    hints: ["sk-"],
    pattern: token(
      String
        .raw`sk-(?:proj|svcacct|admin|None)-[\w-]{20,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}`,
    ),
    entropy: 3.5,
  },
  {
    kind: "anthropic-key",
    title: "Anthropic API key",
    hints: ["sk-ant-"],
    pattern: token(String.raw`sk-ant-(?:api|admin|oat|ort|sid)\d{2}-[\w-]{80,120}`),
    entropy: 3.5,
  },
  {
    kind: "huggingface-token",
    title: "Hugging Face token",
    hints: ["hf_", "api_org_"],
    pattern: token(String.raw`hf_[A-Za-z]{34}|hf_[A-Za-z0-9]{34,40}|api_org_[A-Za-z]{34}`),
    entropy: 4,
  },
  {
    kind: "groq-key",
    title: "Groq API key",
    hints: ["gsk_"],
    pattern: token(String.raw`gsk_[A-Za-z0-9]{52}`),
  },
  {
    kind: "xai-key",
    title: "xAI API key",
    hints: ["xai-"],
    pattern: token(String.raw`xai-[A-Za-z0-9]{70,90}`),
  },
  {
    kind: "openrouter-key",
    title: "OpenRouter API key",
    hints: ["sk-or-"],
    pattern: token(String.raw`sk-or-v1-[a-f0-9]{64}`),
  },
  {
    kind: "perplexity-key",
    title: "Perplexity API key",
    hints: ["pplx-"],
    pattern: token(String.raw`pplx-[A-Za-z0-9]{48}`),
    entropy: 3.5,
  },
  {
    kind: "replicate-token",
    title: "Replicate token",
    hints: ["r8_"],
    pattern: token(String.raw`r8_[A-Za-z0-9]{37}`),
  },
  {
    kind: "tavily-key",
    title: "Tavily API key",
    hints: ["tvly-"],
    pattern: token(String.raw`tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40}`),
  },
  {
    kind: "langsmith-key",
    title: "LangSmith key",
    hints: ["lsv2_"],
    pattern: token(String.raw`lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`),
  },
  {
    kind: "pinecone-key",
    title: "Pinecone API key",
    hints: ["pcsk_"],
    pattern: token(String.raw`pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,70}`),
  },
  {
    kind: "firecrawl-key",
    title: "Firecrawl API key",
    hints: ["fc-"],
    pattern: token(String.raw`fc-[a-f0-9]{32}`),
  },
  {
    kind: "nvidia-key",
    title: "NVIDIA API key",
    hints: ["nvapi-"],
    pattern: token(String.raw`nvapi-[\w-]{60,70}`),
    entropy: 3.5,
  },
  {
    kind: "jina-key",
    title: "Jina AI API key",
    hints: ["jina_"],
    pattern: token(String.raw`jina_[a-f0-9]{32}[\w-]{28}|jina_[A-Za-z0-9]{60}`),
    entropy: 3.5,
  },
  {
    kind: "apify-token",
    title: "Apify API token",
    hints: ["apify_api_"],
    pattern: token(String.raw`apify_api_[A-Za-z0-9]{34,40}`),
    entropy: 3.5,
  },
  {
    kind: "vercel-blob-token",
    title: "Vercel Blob token",
    hints: ["vercel_blob_rw_"],
    pattern: token(String.raw`vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{28,40}`),
  },
  {
    kind: "notion-token",
    title: "Notion token",
    hints: ["ntn_", "secret_"],
    pattern: token(String.raw`ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43}`),
    entropy: 3.5,
  },
  {
    kind: "airtable-token",
    title: "Airtable token",
    hints: ["pat"],
    pattern: token(String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`),
  },
];
