import { CallFailed } from '../call/call-failed.ts'
import type { UsedMessages } from '../i18n/messages.tsx'
import { LocalizedFailure } from './localized-failure.ts'

/** Returns the message for a failure, in the reader's language. */
export function failureMessage(t: UsedMessages['t'], failure: unknown): string {
  if (failure instanceof LocalizedFailure) return t(failure.words)
  return failure instanceof CallFailed ? failure.message : t('errors.unexpected')
}
