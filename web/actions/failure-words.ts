import { CallFailed } from '../call/call-failed.ts'
import type { UsedWords } from '../i18n/words.tsx'
import { WordedFailure } from './worded-failure.ts'

/** Returns the message for a failure, in the reader's language. */
export function failureWords(t: UsedWords['t'], failure: unknown): string {
  if (failure instanceof WordedFailure) return t(failure.words)
  return failure instanceof CallFailed ? failure.message : t('errors.unexpected')
}
