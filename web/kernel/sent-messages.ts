import type { Language } from '#contract/platform/fields.ts'
import type { Call } from './call/call.ts'
import { messagesFrom } from './content/messages-from.ts'
import type { MessageKey, Messages } from './i18n/message-key.ts'
import { sentFiles } from './page-data.ts'
import { labelOf, type Route } from './routes/routes.ts'

/**
 * Error responses contain their own message. The browser needs these messages itself: for a missing response, a proxy's
 * response, or an error of its own.
 */
export const ownErrors: ReadonlySet<string> = new Set<MessageKey>([
  'errors.offline',
  'errors.passkey_invalid',
  'errors.rate_limited',
  'errors.reset_code_invalid',
  'errors.retryAfter',
  'errors.unavailable',
  'errors.unexpected',
  'errors.work_failed',
])

/**
 * Returns the messages sent with a page: those that it needs until the first navigation, which loads the remaining
 * error messages.
 */
export async function sentMessages(call: Call, language: Language, route: Route): Promise<Messages> {
  const files = sentFiles(route)
  const [messages, all] = await Promise.all([
    messagesFrom(call, language, [...files, 'errors']),
    messagesFrom(call, language, route.words),
  ])
  const hasForm = files.includes('forms')
  const isSent = (key: string) =>
    key.startsWith('errors.') ? ownErrors.has(key) : hasForm || !key.startsWith('field.')
  // The frame of a shell names the page that will fill it, and shows its heading and lead.
  const shownKeys = new Set<string>([labelOf(route.name), ...Object.values(route.begins ?? {})])
  const named = Object.entries(all).filter(([key]) => shownKeys.has(key))
  return Object.fromEntries([...Object.entries(messages).filter(([key]) => isSent(key)), ...named])
}
