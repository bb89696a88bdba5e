import type { ContentRelease, ReleaseState } from '#contract/publishing/console-content.ts'
import type { KeyTaking, PlainKey } from '../../../kernel/i18n/message-key.ts'

export const endedLabels: Readonly<Record<ReleaseState, PlainKey>> = {
  proposed: 'consoleContent.state.proposed',
  scheduled: 'consoleContent.publish.scheduled',
  published: 'consoleContent.document.published',
  cancelled: 'consoleContent.ended.state.cancelled',
  declined: 'consoleContent.ended.state.declined',
  overtaken: 'consoleContent.ended.state.overtaken',
  expired: 'consoleContent.ended.state.expired',
  failed: 'consoleContent.ended.state.failed',
}

/** Describes who ended a release and how. If it ended automatically, it only says that it ended. */
export function endingMessage(
  state: ReleaseState,
  { by }: NonNullable<ContentRelease['ended']>,
): KeyTaking<'name' | 'time'> {
  if (state === 'expired') return 'consoleContent.ended.expired'
  if (by === null) return 'consoleContent.ended.itself'
  if (state === 'declined') return 'consoleContent.ended.declined'
  return state === 'overtaken' ? 'consoleContent.ended.overtaken' : 'consoleContent.ended.cancelled'
}

/** The message after publishing. */
export const doneMessage = ({ state }: Pick<ContentRelease, 'state'>): PlainKey =>
  state === 'proposed'
    ? 'consoleContent.publish.proposed'
    : state === 'scheduled'
      ? 'consoleContent.publish.scheduled'
      : 'consoleContent.publish.done'
