import type { RecordEntry } from '#contract/console-audit-log.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Facts, type Fact } from '../../ui/description-list.tsx'
import { pathOfFilter } from './entry-parts.tsx'
import { nameOfActor, nameOfSubject } from './entry-sentence.ts'
import styles from './record.module.css'

const labels: Readonly<Record<string, PlainKey>> = {
  fields: 'record.detail.fields',
  changes: 'record.detail.changes',
  status: 'record.detail.status',
  count: 'record.detail.count',
  documents: 'record.detail.documents',
  version: 'record.detail.version',
  format: 'record.detail.format',
  photos: 'record.detail.photos',
  isOpen: 'record.detail.isOpen',
  entries: 'record.detail.entries',
  other: 'record.detail.other',
  isLaterPage: 'record.detail.isLaterPage',
  token: 'record.detail.token',
  tokenEnd: 'record.detail.tokenEnd',
  refund: 'record.detail.refund',
  refundBefore: 'record.detail.refundBefore',
  q: 'record.detail.search',
}

/** Additional data of an entry, with values before and after. */
export function EntryDetails({ entry }: { entry: RecordEntry }) {
  const { t } = useMessages()
  const { detail, changes, actor, subject, action, seq, hash } = entry
  const facts: Fact[] = [
    ...changes.map(({ path, from, to }) => ({
      name: `change ${path}`,
      label: <code>{path}</code>,
      value: t('record.change', {
        before: from ?? t('record.change.nothing'),
        after: to ?? t('record.change.nothing'),
      }),
    })),
    ...Object.entries(detail).map(([name, value]) => ({
      name,
      label: labels[name] ? t(labels[name]) : <code>{name}</code>,
      value: isHashed(value)
        ? t('record.hashed', { hash: value.slice('hashed:'.length, 'hashed:'.length + 8) })
        : textOf(value),
    })),
    { name: 'seq', label: t('record.column.seq'), value: seq },
    { name: 'action', label: t('record.column.action'), value: <code>{action}</code> },
    { name: 'hash', label: t('record.column.hash'), value: <code>{hash}</code> },
  ]
  return (
    <details className={styles.details}>
      <summary aria-label={t('record.details.of', { seq })}>{t('record.details')}</summary>
      <Facts facts={facts} />
      <ul className={styles.more}>
        {actor && (
          <li>
            <a href={pathOfFilter({ actor: actor.id })}>
              {t('record.all.actor', { name: nameOfActor(t, entry) })}
            </a>
          </li>
        )}
        {subject.id && (
          <li>
            <a href={pathOfFilter({ subject: subject.id })}>
              {t('record.all.subject', { name: nameOfSubject(t, entry) })}
            </a>
          </li>
        )}
      </ul>
    </details>
  )
}

const isHashed = (value: unknown): value is string => typeof value === 'string' && value.startsWith('hashed:')

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
