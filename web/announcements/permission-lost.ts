import { CallFailed } from '../kernel/call/call.ts'
import type { UsedMessages } from '../kernel/i18n/messages.tsx'

const codes: readonly string[] = ['unauthenticated', 'session_expired', 'forbidden']

/** Whether the session or the right to publish was lost after the page offered the action. */
export const isPermissionLost = (failure: unknown): boolean =>
  failure instanceof CallFailed && codes.includes(failure.code)

export function notifyIfPermissionLost(t: UsedMessages['t'], failure: unknown): void {
  if (isPermissionLost(failure)) window.alert(t('news.mustBeSignedIn'))
}
