/** Where the list of documents to download stands among the facts. */
export const documentsFile = 'documents'

/** The lists that pages of visitors show. Any other file of facts is answered to nobody by `readFacts`. */
export const shownFacts = [
  documentsFile,
  'facts/ambassadors.json',
  'facts/coin-facts.json',
  'facts/comparison.json',
  'facts/faq.json',
  'facts/features.json',
  'facts/films.json',
  'facts/manuals.json',
  'facts/partners.json',
  'facts/roadmap.json',
  'facts/synergy.json',
  'facts/team.json',
  'facts/technical-help.json',
] as const
export type ShownFacts = (typeof shownFacts)[number]

/**
 * The messages that are drawn in a browser. Those of the console are among them: its pages bring them before anybody has
 * signed in, and they hold nothing that is somebody's. Any other file is answered to nobody by `readWords`.
 */
export const shownWords = [
  'account',
  'ambassador',
  'ambassador-account',
  'ambassador-share',
  'ambassador-badge',
  'ambassador-status',
  'chain-payment',
  'console',
  'console-ambassador-profiles',
  'console-ambassadors',
  'console-content',
  'console-home',
  'console-official',
  'console-orders',
  'console-sale',
  'console-mails',
  'console-tokens',
  'console-health',
  'console-record',
  'console-members',
  'console-withdrawals',
  'consents',
  'documents',
  'editor',
  'errors',
  'forms',
  'help',
  'home',
  'kyc',
  'layout',
  'legal',
  'login',
  'lost-factors',
  'meta',
  'news',
  'newsletter',
  'console-newsletter',
  'newsroom',
  'official',
  'orders',
  'placeholder',
  'preview',
  'project',
  'review',
  'security',
  'session',
  'signatures',
  'step-up',
  'video',
  'white-paper',
  'withdrawals',
] as const
export type ShownWords = (typeof shownWords)[number]
