/**
 * Forms of the credentials of messaging, payment, shop and other services.
 *
 * @module
 */
import { type Format, token } from "../patterns.ts";

export const SERVICE_FORMATS: readonly Format[] = [
  {
    kind: "slack-token",
    title: "Slack token",
    hints: ["xox", "xapp-", "XOX", "XAPP-"],
    pattern: token(
      String
        .raw`xoxb-\d{8,14}-(?:\d{8,14}-?)?[A-Za-z0-9-]{18,40}|xoxb-\d{8,14}-\d{8,14}|xox[pe](?:-\d{8,14}){3}-[A-Za-z0-9-]{28,64}|xox[os]-\d{4,14}-\d{4,14}-\d{4,14}-[a-f0-9]{8,80}|xox[ar]-(?:\d-)?[A-Za-z0-9]{8,48}(?:-[A-Za-z0-9]{8,48}){0,4}|xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,250}|xoxe-\d-[A-Za-z0-9]{100,250}|xapp-\d-[A-Z0-9]{8,14}-\d{8,14}-[a-z0-9]{40,80}`,
      "i",
    ),
    exact: true,
    entropy: 2.6,
    check: (value) => /\d.*\d/.test(value.slice(4)),
  },
  {
    kind: "slack-webhook",
    title: "Slack webhook",
    hints: ["hooks.slack.com"],
    pattern:
      /(?:https?:\/\/|(?<![\w.-]))hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{40,90}/g,
  },
  {
    kind: "teams-webhook",
    title: "Microsoft Teams webhook",
    hints: ["webhook.office.com"],
    pattern:
      /https:\/\/[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2\/[\w@-]{30,120}\/IncomingWebhook\/[\w/-]{30,120}/gi,
  },
  {
    kind: "discord-token",
    title: "Discord bot token",
    hints: ["."],
    pattern: /(?<![\w.-])[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g,
    entropy: 4,
  },
  {
    kind: "discord-webhook",
    title: "Discord webhook",
    hints: ["/api/webhooks/"],
    pattern:
      /https:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,70}/g,
  },
  {
    kind: "telegram-token",
    title: "Telegram bot token",
    hints: [":A"],
    pattern: /(?<![\w.:-])\d{5,16}:A[\w-]{34}(?![\w-])/g,
    entropy: 4,
  },
  {
    kind: "stripe-key",
    title: "Stripe key",
    hints: ["sk_", "rk_", "whsec_"],
    pattern: token(
      String.raw`(?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{10,99}|whsec_[A-Za-z0-9]{32}`,
    ),
    entropy: 3,
  },
  {
    kind: "square-token",
    title: "Square token",
    hints: ["EAAA", "sq0", "EAAl"],
    pattern: token(
      String.raw`EAAA[\w-]{56,60}|EAAA[A-Za-z0-9_-]{22,55}|sq0(?:atp|csp|idp)-[\w-]{22,43}`,
    ),
    entropy: 4.2,
    check: (value) => /[A-Z]/.test(value.slice(4)) && /[a-z]/.test(value) && /\d/.test(value),
  },
  {
    kind: "paypal-braintree-token",
    title: "Braintree token",
    hints: ["access_token$"],
    pattern: /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/g,
  },
  {
    kind: "plaid-token",
    title: "Plaid token",
    hints: ["access-"],
    pattern: token(
      String
        .raw`access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`,
    ),
  },
  {
    kind: "flutterwave-key",
    title: "Flutterwave key",
    hints: ["FLWSECK"],
    pattern: token(String.raw`FLWSECK(?:_TEST)?-[a-h0-9]{12,64}(?:-X)?`),
  },
  {
    kind: "flutterwave-public-key",
    title: "Flutterwave public key",
    hints: ["FLWPUBK"],
    pattern: token(String.raw`FLWPUBK(?:_TEST)?-[a-h0-9]{32}-X`, "i"),
    severity: "medium",
  },
  {
    kind: "shippo-token",
    title: "Shippo token",
    hints: ["shippo_"],
    pattern: token(String.raw`shippo_(?:live|test)_[a-f0-9]{40}`),
  },
  {
    kind: "easypost-key",
    title: "EasyPost key",
    hints: ["EZAK", "EZTK"],
    pattern: token(String.raw`EZ[AT]K[A-Za-z0-9]{54}`),
    entropy: 4,
  },
  {
    kind: "duffel-token",
    title: "Duffel token",
    hints: ["duffel_"],
    pattern: token(String.raw`duffel_(?:test|live)_[\w=-]{43}`),
  },
  {
    kind: "frameio-token",
    title: "Frame.io token",
    hints: ["fio-u-"],
    pattern: token(String.raw`fio-u-[\w=-]{64}`),
  },
  {
    kind: "shopify-token",
    title: "Shopify token",
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: token(String.raw`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`),
  },
  {
    kind: "sendgrid-key",
    title: "SendGrid key",
    hints: ["SG."],
    pattern: token(String.raw`SG\.[\w=-]{20,24}\.[\w=-]{39,50}|SG\.[\w=.-]{66}`),
    entropy: 4,
  },
  {
    kind: "sendinblue-key",
    title: "Brevo key",
    hints: ["xkeysib-"],
    pattern: token(String.raw`xkeysib-[a-f0-9]{64}-[a-zA-Z0-9]{16}`),
  },
  {
    kind: "mailgun-key",
    title: "Mailgun key",
    hints: ["key-", "mailgun", "MAILGUN"],
    pattern: token(String.raw`key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}`),
  },
  {
    kind: "mailchimp-key",
    title: "Mailchimp key",
    hints: ["-us"],
    pattern: token(String.raw`[a-f0-9]{32}-us\d{1,2}`),
  },
  {
    kind: "twilio-key",
    title: "Twilio key",
    hints: ["SK"],
    pattern: token(String.raw`SK[a-f0-9]{32}`),
    entropy: 3,
  },
  {
    kind: "facebook-token",
    title: "Facebook access token",
    hints: ["EAA", "facebook", "FACEBOOK"],
    pattern:
      /(?<![\w-])EAA[A-Z][A-Za-z0-9]{100,300}(?![\w-])|(?:facebook|meta|fb)[\w.-]{0,20}[\s"\':=]{1,6}(?<secret>\d{15,16}\|[\w-]{27,40})/gi,
    entropy: 4,
  },
  {
    kind: "twitter-bearer-token",
    title: "Twitter bearer token",
    hints: ["AAAAAAAAAAAAAAAAAAAA"],
    pattern: /(?<![\w-])A{20,22}[A-Za-z0-9%]{60,120}(?![\w-])/g,
    fixed: 22,
  },
  {
    kind: "hubspot-token",
    title: "HubSpot token",
    hints: ["pat-na", "pat-eu"],
    pattern: token(String.raw`pat-(?:na|eu)\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`),
  },
  {
    kind: "dropbox-token",
    title: "Dropbox token",
    hints: ["sl."],
    pattern: token(String.raw`sl\.[\w-]{130,300}`),
  },
  {
    kind: "maxmind-key",
    title: "MaxMind key",
    hints: ["_mmk"],
    pattern: token(String.raw`[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`),
  },
  {
    kind: "intra42-secret",
    title: "42 API secret",
    hints: ["s-s4t2"],
    pattern: token(String.raw`s-s4t2(?:ud|af)-[a-f0-9]{64}`),
  },
  {
    kind: "adobe-client-secret",
    title: "Adobe client secret",
    hints: ["p8e-"],
    pattern: token(String.raw`p8e-[a-f0-9]{32}`, "i"),
  },
  {
    kind: "mapbox-secret-token",
    title: "Mapbox secret token",
    hints: ["sk.eyJ"],
    pattern: token(String.raw`sk\.eyJ[\w-]{60,120}\.[\w-]{20,30}`),
  },
  {
    kind: "sidekiq-credential",
    title: "Sidekiq credential",
    hints: ["contribsys", "CONTRIBSYS"],
    pattern:
      /BUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM\w{0,20}["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[a-f0-9]{8}:[a-f0-9]{8})(?![\w-])/gi,
    exact: true,
  },
  {
    kind: "npm-basic-auth",
    title: "npm basic authentication",
    hints: ["_auth"],
    pattern:
      /(?:^|\n)\s{0,4}(?:\/\/[^\s:]{1,100}:)?_auth\s{0,3}=\s{0,3}["\']?(?<secret>[A-Za-z0-9+/]{16,400}={0,2})/g,
    entropy: 3,
  },
];
