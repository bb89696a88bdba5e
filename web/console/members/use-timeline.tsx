import type { ReactNode } from 'react'
import { memberNoteKinds } from '#contract/console-members.ts'
import { consoleStepKinds } from '#contract/console-orders.ts'
import { kycStates } from '#contract/kyc.ts'
import type { TimelineEntry } from '#contract/timeline.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
import { pathToCase, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../routes/routes.ts'
import type { TimelineEvent } from '../detail/timeline.tsx'
import { changeMessages, mailStatusLabels } from './member-messages.ts'

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

const wordsIn = (messages: Readonly<Record<string, PlainKey>>, name: string): PlainKey | undefined =>
  Object.hasOwn(messages, name) ? messages[name] : undefined

/** Describes an entry of the account's history. Entries from newer releases are shown by name. */
export function useTimeline(): (entry: TimelineEntry) => TimelineEvent {
  const messages = useMessages()
  return (entry) => {
    const { t } = messages
    const by = entry.isMember ? t('consoleMembers.timeline.member') : entry.by
    const more = detailOf(messages, entry)
    const mark = markOf(entry)
    return {
      key: entry.key,
      at: entry.at,
      what: whatOf(messages, entry),
      ...(by && { by }),
      ...(more && { more }),
      ...(mark && { mark }),
    }
  }
}

function whatOf({ t }: UsedMessages, { kind, what, subject, subjectId }: TimelineEntry): ReactNode {
  if (kind === 'signIn') return t('consoleMembers.timeline.signIn')
  if (kind === 'view') return t('consoleMembers.timeline.view')
  if (kind === 'mail') return t('consoleMembers.timeline.mail', { title: subject })
  if (kind === 'note') return isOneOf(memberNoteKinds, what) ? t(`consoleMembers.note.${what}`) : what
  if (kind === 'change') {
    const change = wordsIn(changeMessages, what)
    return change ? t(change) : t('consoleMembers.change.other', { action: what })
  }
  const detailText =
    kind === 'order'
      ? t('consoleMembers.timeline.order', {
          reference: subject,
          step: isOneOf(consoleStepKinds, what) ? t(`consoleMembers.step.${what}`) : what,
        })
      : t('consoleMembers.timeline.case', {
          state: isOneOf(kycStates, what) ? t(`consoleMembers.kyc.${what}`) : what,
        })
  if (subjectId === null) return detailText
  const path =
    kind === 'order' ? pathTo('console.order', { id: subjectId }) : pathToCase(subjectId, wholeQueue)
  return <a href={path}>{detailText}</a>
}

function detailOf({ t }: UsedMessages, { kind, detail }: TimelineEntry): string {
  const state = kind === 'mail' ? wordsIn(mailStatusLabels, detail) : undefined
  return state ? t(state) : detail
}

/** Marks entries that need attention. */
const markOf = ({ kind, what, detail }: TimelineEntry): TimelineEvent['mark'] =>
  (kind === 'mail' && detail === 'failed') || what === 'refresh-token-reused' || what === 'disputed'
    ? 'waits'
    : undefined
