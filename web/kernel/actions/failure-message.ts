import { CallFailed } from '../call/call-failed.ts'
import type { UsedMessages } from '../i18n/messages.tsx'
import type { PlainKey } from '../i18n/message-key.ts'

/** Returns the message for a failure, in the reader's language. */
export function failureMessage(t: UsedMessages['t'], failure: unknown): string {
  if (failure instanceof LocalizedFailure) return t(failure.words)
  return failure instanceof CallFailed ? failure.message : t('errors.unexpected')
}

/** A failure in the browser, with its own message. */
export class LocalizedFailure extends Error {
  readonly words: PlainKey

  constructor(words: PlainKey) {
    super(words)
    this.words = words
  }
}
