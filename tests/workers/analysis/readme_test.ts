/** READMEs of strangers. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderMarkdown } from "../../../workers/analysis/readme/render.ts";

Deno.test("renderMarkdown() keeps text, tables, code and links", () => {
  const html = renderMarkdown(
    "# Title\n\n**bold** `code`\n\n| a |\n| - |\n| b |\n\n[site](https://example.com/?a=1&b=2)",
  );
  for (
    const part of [
      "<h3>Title</h3>",
      "<strong>bold</strong>",
      "<code>code</code>",
      '<th scope="col">a</th>',
      '<a href="https://example.com/?a=1&amp;b=2" rel="nofollow ugc noopener noreferrer">site</a>',
    ]
  ) assertStringIncludes(html, part);
});

Deno.test("renderMarkdown() lets nothing through that runs, loads, posts or covers", () => {
  const attacks = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "<svg><script>alert(1)</script></svg>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<object data='x'></object><embed src='x'>",
    "<style>*{display:none}</style>",
    "<p style='position:fixed;inset:0'>x</p>",
    "<div id=main class=alert>x</div>",
    "<form action=https://evil.example><input name=q><button>go</button></form>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "[x](javascript:alert(1))",
    "[x](vbscript:x)",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>",
    "<video src=https://evil.example/x autoplay></video>",
    "<details open ontoggle=alert(1)>x</details>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<template><script>alert(1)</script></template>",
    "<a href='//evil.example'>x</a>",
    "<a target=_top href=https://ok.example>x</a>",
    "<h1 hx-get=/logout hx-trigger=load>x</h1>",
    "<p data-copy=x data-try>x</p>",
  ];
  const tags =
    /<(script|img|svg|math|iframe|object|embed|style|form|input|button|base|meta|link|video|template|div)\b/i;
  const attributes = /<[^>]*\s(on\w+|style|id|class|src|target|hx-[\w-]+|data-[\w-]+)\s*=/i;
  const links = /href="(?!https?:|mailto:)/i;
  for (const attack of attacks) {
    const html = renderMarkdown(attack);
    assert(!tags.test(html), `${attack} → ${html}`);
    assert(!attributes.test(html), `${attack} → ${html}`);
    assert(!links.test(html), `${attack} → ${html}`);
    assert(!html.includes("alert(1)") || !/<[^>]*alert/.test(html), `${attack} → ${html}`);
  }
});

Deno.test("renderMarkdown() ends for texts that are made to be slow", () => {
  for (
    const text of [
      "[".repeat(20_000),
      "*a ".repeat(20_000),
      "> ".repeat(3_000) + "x",
      "`".repeat(20_000),
      "<div>".repeat(5_000),
      "| a ".repeat(5_000) + "|\n" + "| - ".repeat(5_000) + "|\n",
      "- ".repeat(1_000) + "x",
    ]
  ) assertEquals(typeof renderMarkdown(text), "string");
});
