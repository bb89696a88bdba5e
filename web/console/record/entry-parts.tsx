import type { RecordEntry } from '#contract/console-audit-log.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Address } from '../../ui/address.tsx'
import { keepReferences } from '../../ui/keep-references.tsx'
import { nameOfActor, nameOfSubject, sentenceOf } from './entry-sentence.ts'
import styles from './record.module.css'

type Props = { entry: RecordEntry }

/** In UTC, like the filters and the export. */
export const TimeOf = ({ entry: { at } }: Props) => (
  <time className={styles.time} dateTime={at} title={at}>
    {at.slice(0, 10)} {at.slice(11, 19)}
  </time>
)

export function SentenceOf({ entry }: Props) {
  const { t } = useMessages()
  return <p>{keepReferences(sentenceOf(t, entry))}</p>
}

export const pathOfFilter = (filter: { actor?: string; subject?: string }): string =>
  `${pathTo('console.record')}?${new URLSearchParams(filter)}`

export function ActorLink({ entry }: Props) {
  const { t } = useMessages()
  const actor = entry.actor === null ? t('record.program.filter') : entry.actor.id
  return (
    <a href={pathOfFilter({ actor })}>
      <Address email={nameOfActor(t, entry)} />
    </a>
  )
}

export function SubjectLink({ entry }: Props) {
  const { t } = useMessages()
  const { id } = entry.subject
  return id === null ? (
    '–'
  ) : (
    <a href={pathOfFilter({ subject: id })}>
      <Address email={nameOfSubject(t, entry)} />
    </a>
  )
}
