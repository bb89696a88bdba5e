import { CallFailed } from '../call/call.ts'
import type { UsedWords } from '../i18n/words.tsx'
import { WordedFailure } from './worded-failure.ts'

/** The server's message for a failure, in the reader's language, with the time to wait if it names one. */
export function failureWords(t: UsedWords['t'], failure: unknown): string {
  if (failure instanceof WordedFailure) return t(failure.words)
  if (!(failure instanceof CallFailed)) return t('errors.unexpected')
  if (!failure.retryAfterSeconds) return failure.message
  return `${failure.message} ${t('forms.retryAfter', { seconds: failure.retryAfterSeconds })}`
}
