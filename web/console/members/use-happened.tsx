import type { ReactNode } from 'react'
import type { TimelineEntry } from '#contract/timeline.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords, type UsedWords } from '../../i18n/words.tsx'
import { pathToCase, wholeQueue } from '../../kyc/review/review-address.ts'
import { pathTo } from '../../routes/routes.ts'
import type { Happened } from '../timeline/timeline.tsx'
import { changeWords, kycWords, mailStateWords, noteWords, stepWords } from './member-words.ts'

const wordsIn = (words: Readonly<Record<string, PlainKey>>, name: string): PlainKey | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** An entry of the account's timeline in the reader's words. What a newer release wrote is shown by its name. */
export function useHappened(): (entry: TimelineEntry) => Happened {
  const words = useWords()
  return (entry) => {
    const { t } = words
    const by = entry.isMember ? t('consoleMembers.timeline.member') : entry.by
    const more = detailOf(words, entry)
    const mark = markOf(entry)
    return {
      key: entry.key,
      at: entry.at,
      what: whatOf(words, entry),
      ...(by && { by }),
      ...(more && { more }),
      ...(mark && { mark }),
    }
  }
}

function whatOf({ t }: UsedWords, { kind, what, subject, subjectId }: TimelineEntry): ReactNode {
  const named = (words: Readonly<Record<string, PlainKey>>) => {
    const key = wordsIn(words, what)
    return key ? t(key) : undefined
  }
  if (kind === 'signIn') return t('consoleMembers.timeline.signIn')
  if (kind === 'view') return t('consoleMembers.timeline.view')
  if (kind === 'mail') return t('consoleMembers.timeline.mail', { title: subject })
  if (kind === 'note') return named(noteWords) ?? what
  if (kind === 'change') return named(changeWords) ?? t('consoleMembers.change.other', { action: what })
  const said =
    kind === 'order'
      ? t('consoleMembers.timeline.order', { reference: subject, step: named(stepWords) ?? what })
      : t('consoleMembers.timeline.case', { state: named(kycWords) ?? what })
  if (subjectId === null) return said
  const path =
    kind === 'order' ? pathTo('console.order', { id: subjectId }) : pathToCase(subjectId, wholeQueue)
  return <a href={path}>{said}</a>
}

function detailOf({ t }: UsedWords, { kind, detail }: TimelineEntry): string {
  const state = kind === 'mail' ? wordsIn(mailStateWords, detail) : undefined
  return state ? t(state) : detail
}

/** What somebody has to look at. */
const markOf = ({ kind, what, detail }: TimelineEntry): Happened['mark'] =>
  (kind === 'mail' && detail === 'failed') || what === 'refresh-token-reused' || what === 'disputed'
    ? 'waits'
    : undefined
