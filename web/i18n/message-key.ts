import type { BrowserMessageFile } from '#contract/public-content.ts'
import type { Placeholders } from './placeholders.ts'

/** The message files of `browserMessages`, by name; a page lists those it needs in `web/routes/routes.ts`. */
type Files = {
  account: typeof import('#content/messages/en/account.json')
  ambassador: typeof import('#content/messages/en/ambassador.json')
  'ambassador-account': typeof import('#content/messages/en/ambassador-account.json')
  'ambassador-share': typeof import('#content/messages/en/ambassador-share.json')
  'ambassador-badge': typeof import('#content/messages/en/ambassador-badge.json')
  'ambassador-status': typeof import('#content/messages/en/ambassador-status.json')
  'chain-payment': typeof import('#content/messages/en/chain-payment.json')
  console: typeof import('#content/messages/en/console.json')
  'console-ambassador-profiles': typeof import('#content/messages/en/console-ambassador-profiles.json')
  'console-ambassadors': typeof import('#content/messages/en/console-ambassadors.json')
  'console-content': typeof import('#content/messages/en/console-content.json')
  'console-home': typeof import('#content/messages/en/console-home.json')
  'console-official': typeof import('#content/messages/en/console-official.json')
  'console-orders': typeof import('#content/messages/en/console-orders.json')
  'console-sale': typeof import('#content/messages/en/console-sale.json')
  'console-webhooks': typeof import('#content/messages/en/console-webhooks.json')
  'console-mails': typeof import('#content/messages/en/console-mails.json')
  'console-tokens': typeof import('#content/messages/en/console-tokens.json')
  'console-health': typeof import('#content/messages/en/console-health.json')
  'console-record': typeof import('#content/messages/en/console-record.json')
  'console-members': typeof import('#content/messages/en/console-members.json')
  'console-withdrawals': typeof import('#content/messages/en/console-withdrawals.json')
  consents: typeof import('#content/messages/en/consents.json')
  documents: typeof import('#content/messages/en/documents.json')
  editor: typeof import('#content/messages/en/editor.json')
  errors: typeof import('#content/messages/en/errors.json')
  forms: typeof import('#content/messages/en/forms.json')
  help: typeof import('#content/messages/en/help.json')
  home: typeof import('#content/messages/en/home.json')
  kyc: typeof import('#content/messages/en/kyc.json')
  layout: typeof import('#content/messages/en/layout.json')
  legal: typeof import('#content/messages/en/legal.json')
  login: typeof import('#content/messages/en/login.json')
  'lost-factors': typeof import('#content/messages/en/lost-factors.json')
  meta: typeof import('#content/messages/en/meta.json')
  news: typeof import('#content/messages/en/news.json')
  newsletter: typeof import('#content/messages/en/newsletter.json')
  'console-newsletter': typeof import('#content/messages/en/console-newsletter.json')
  newsroom: typeof import('#content/messages/en/newsroom.json')
  official: typeof import('#content/messages/en/official.json')
  orders: typeof import('#content/messages/en/orders.json')
  placeholder: typeof import('#content/messages/en/placeholder.json')
  preview: typeof import('#content/messages/en/preview.json')
  project: typeof import('#content/messages/en/project.json')
  review: typeof import('#content/messages/en/review.json')
  security: typeof import('#content/messages/en/security.json')
  session: typeof import('#content/messages/en/session.json')
  signatures: typeof import('#content/messages/en/signatures.json')
  'step-up': typeof import('#content/messages/en/step-up.json')
  video: typeof import('#content/messages/en/video.json')
  'white-paper': typeof import('#content/messages/en/white-paper.json')
  withdrawals: typeof import('#content/messages/en/withdrawals.json')
}

export type Namespace = BrowserMessageFile

/** Every key of the English files, so that an unknown key causes a type error. */
export type MessageKey = { [N in Namespace]: keyof Files[N] & string }[Namespace]

/** The placeholders of a message; for a union of keys, those of any of them. */
type PlaceholderOf<Key extends MessageKey> = Key extends keyof Placeholders ? Placeholders[Key] : never

export type Values<Key extends MessageKey> = Readonly<Record<PlaceholderOf<Key>, string | number>>

/** The last argument of functions that format a message; none if the message has no placeholder. */
export type ValuesFor<Key extends MessageKey> = [PlaceholderOf<Key>] extends [never]
  ? []
  : [values: Values<Key>]

/** The keys of messages that need no values other than these, for places that show one of several messages. */
export type KeyTaking<Placeholder extends string> = {
  [Key in MessageKey]: PlaceholderOf<Key> extends Placeholder ? Key : never
}[MessageKey]

/** The keys of messages that need no values. */
export type PlainKey = KeyTaking<never>

export type Messages = Readonly<Record<string, string>>
