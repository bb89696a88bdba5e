import type { PlainKey } from '../i18n/message-key.ts'

/** A failure on this side of the API, which brings its own words. */
export class WordedFailure extends Error {
  readonly words: PlainKey

  constructor(words: PlainKey) {
    super(words)
    this.words = words
  }
}
