import { CallFailed } from '../call/call.ts'
import type { UsedWords } from '../i18n/words.tsx'

const codes: readonly string[] = ['unauthenticated', 'session_expired', 'forbidden']

/** Whether the session or the right to publish was lost after the page offered the action. */
export const areRightsLost = (failure: unknown): boolean =>
  failure instanceof CallFailed && codes.includes(failure.code)

export function alertIfRightsLost(t: UsedWords['t'], failure: unknown): void {
  if (areRightsLost(failure)) window.alert(t('news.mustBeSignedIn'))
}
