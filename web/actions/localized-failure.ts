import type { PlainKey } from '../i18n/message-key.ts'

/** A failure in the browser, with its own message. */
export class LocalizedFailure extends Error {
  readonly words: PlainKey

  constructor(words: PlainKey) {
    super(words)
    this.words = words
  }
}
