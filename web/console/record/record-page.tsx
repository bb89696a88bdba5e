import { useEffect, useState } from 'react'
import { auditActionsOf, auditSubjects } from '#contract/platform/audit-actions.ts'
import {
  auditLog,
  exportRecordHead,
  getVerification,
  type RecordEntry,
  type Verification,
  verifyRecord,
} from '#contract/console/console-audit-log.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { saveFile } from '../../kernel/save-file.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { copyText } from '../../kernel/ui/copy-text.ts'
import { type Fact, Facts } from '../../kernel/ui/description-list.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { keepReferences } from '../../kernel/ui/keep-references.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTimeInUtc } from '../list/list-time.tsx'
import { nameOfActor, nameOfSubject, sentenceOf, sentenceWithoutNames } from './entry-sentence.ts'
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
  step: 'record.detail.step',
}

type Props = { entry: RecordEntry }

function SentenceOf({ entry }: Props) {
  const { t } = useMessages()
  return <p>{keepReferences(sentenceOf(t, entry))}</p>
}

const pathOfFilter = (filter: { actor?: string; subject?: string }): string =>
  `${pathTo('console.record')}?${new URLSearchParams(filter)}`

function ActorLink({ entry }: Props) {
  const { t } = useMessages()
  const actor = entry.actor === null ? t('record.program.filter') : entry.actor.id
  return (
    <a href={pathOfFilter({ actor })}>
      <Address email={nameOfActor(t, entry)} />
    </a>
  )
}

function SubjectLink({ entry }: Props) {
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

/** Additional data of an entry, with values before and after. */
function EntryDetails({ entry }: { entry: RecordEntry }) {
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
    { name: 'seq', label: t('record.column.seq'), value: seq ?? t('record.unsealed') },
    { name: 'action', label: t('record.column.action'), value: <code>{action}</code> },
    { name: 'hash', label: t('record.column.hash'), value: <code>{hash || '–'}</code> },
  ]
  return (
    <details className={styles.details}>
      <summary aria-label={seq === null ? t('record.details') : t('record.details.of', { seq })}>
        {t('record.details')}
      </summary>
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

const recordList: ListSpec<typeof auditLog> = {
  resource: auditLog,
  route: 'console.record',
  caption: 'record.caption',
  isInUtc: true,
  nameOf: ({ seq, id }) => String(seq ?? id),
  columns: [
    { name: 'at', heading: 'record.column.at', sort: 'at', cell: ({ at }) => <ListTimeInUtc at={at} /> },
    {
      name: 'actor',
      heading: 'record.column.actor',
      isAddress: true,
      cell: (entry) => <ActorLink entry={entry} />,
    },
    {
      name: 'what',
      heading: 'record.column.what',
      isWide: true,
      cell: (entry) => (
        <div className={styles.what}>
          <SentenceOf entry={entry} />
          <EntryDetails entry={entry} />
        </div>
      ),
    },
    {
      name: 'subject',
      heading: 'record.column.subject',
      isAddress: true,
      isExtra: true,
      cell: (entry) => <SubjectLink entry={entry} />,
    },
    {
      name: 'action',
      heading: 'record.column.action',
      isExtra: true,
      cell: ({ action }) => <code>{action}</code>,
    },
    {
      name: 'seq',
      heading: 'record.column.seq',
      isExtra: true,
      isFigure: true,
      cell: ({ seq }) => seq ?? '–',
    },
  ],
  filters: {
    kind: {
      label: 'record.filter.kind',
      kind: 'choice',
      options: auditSubjects.map((kind) => ({ value: kind, label: `record.kind.${kind}` })),
    },
    action: {
      label: 'record.filter.action',
      kind: 'find',
      placeholder: 'record.filter.action.find',
      narrowedBy: 'kind',
      options: auditSubjects.flatMap((kind) =>
        auditActionsOf[kind].map((action) => ({
          value: action,
          label: sentenceWithoutNames(action),
          group: `record.kind.${kind}`,
          within: kind,
        })),
      ),
    },
    what: {
      label: 'record.filter.what',
      kind: 'choice',
      options: [
        { value: 'changes', label: 'record.what.changes' },
        { value: 'readings', label: 'record.what.readings' },
      ],
    },
    from: { label: 'record.filter.from', kind: 'day' },
    to: { label: 'record.filter.to', kind: 'day' },
    actor: {
      label: 'record.filter.actor',
      kind: 'text',
      placeholder: 'record.filter.actor.help',
    },
    subject: {
      label: 'record.filter.subject',
      kind: 'text',
      placeholder: 'record.filter.subject.help',
    },
  },
  none: { title: 'record.none' },
}

/** The audit log, and whether its chain is intact. */
function RecordView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('record.heading')} lead={t('record.lead')} />
      {member && (
        <>
          <ChainPart />
          <ConsoleList spec={recordList} search={search} />
        </>
      )}
    </>
  )
}

const pollEvery = SECOND

/**
 * The result of the last verification of the hash chain, with buttons to start a new one and to export the last hash.
 */
function ChainPart() {
  const { t } = useMessages()
  const loaded = useLoaded('verification', () => call(getVerification, {}))
  const first = loaded.state === 'ready' ? loaded.data.last : undefined
  // If the chain is intact, this part is collapsed to leave room for the entries.
  const isOpen = loaded.state === 'failed' || (first !== undefined && first?.state !== 'intact')
  return (
    <details className={styles.chain} open={isOpen}>
      <summary>
        <h2>{t('record.chain')}</h2> {first?.state === 'intact' && <ChainTag state="intact" />}
      </summary>
      <p className={styles.lead}>{t('record.chain.lead')}</p>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('record.chain.failed')} />}
      {loaded.state === 'ready' && <Chain first={loaded.data.last} />}
    </details>
  )
}

function Chain({ first }: { first: Verification | null }) {
  const { t } = useMessages()
  const [last, setLast] = useState(first)
  const { isBusy, error, run } = useAction()
  const isRunning = last?.state === 'running'
  useEffect(() => {
    if (last?.state !== 'running') return undefined
    const timer = setTimeout(
      () =>
        void call(getVerification, {})
          .then(({ last }) => setLast(last))
          // The next poll tries again.
          .catch(() => setLast((before) => before && { ...before })),
      pollEvery,
    )
    return () => clearTimeout(timer)
  }, [last])
  const verify = () => run(async () => setLast(await call(verifyRecord, { body: {} })))
  const save = () =>
    run(async () => {
      const signed = await call(exportRecordHead, {})
      const text = `${JSON.stringify(signed, undefined, 2)}\n`
      const day = new Date().toISOString().slice(0, 10)
      saveFile(new Blob([text], { type: 'application/json' }), `audit-log-head-${day}.json`)
    })
  const copy = async (head: string) => {
    if (await copyText(head)) showNotice(t('record.chain.copied'))
    else showNotice(t('record.chain.copy.failed'), 'error')
  }
  const head = last?.state === 'intact' ? last.head : null
  return (
    <>
      <ChainState last={last} />
      <div className={styles.buttons}>
        <Button kind="quiet" busy={isBusy || isRunning} onClick={() => void verify()}>
          {t('record.chain.verify')}
        </Button>
        {head && (
          <>
            <Button kind="quiet" onClick={() => void copy(head)}>
              {t('record.chain.copy')}
            </Button>
            <Button kind="quiet" disabled={isBusy} onClick={() => void save()}>
              {t('record.chain.save')}
            </Button>
          </>
        )}
      </div>
      <FormStatus error={error} />
    </>
  )
}

const tags = {
  intact: { colour: 'green', words: 'health.state.good' },
  broken: { colour: 'red', words: 'health.state.down' },
  stopped: { colour: 'yellow', words: 'health.state.attention' },
} as const

function ChainTag({ state }: { state: keyof typeof tags }) {
  const { t } = useMessages()
  return <Tag colour={tags[state].colour}>{t(tags[state].words)}</Tag>
}

/** The result of the last verification, in words. */
function ChainState({ last }: { last: Verification | null }) {
  const { t, language, formatNumber, nameValue } = useMessages()
  if (!last) return <p role="status">{t('record.chain.never')}</p>
  const { state, checked, total, head, by, startedAt, finishedAt } = last
  if (state === 'running')
    return (
      <div className={styles.running}>
        <p role="status">
          {t('record.chain.running', { checked: formatNumber(checked), total: formatNumber(total) })}
        </p>
        <progress max={Math.max(1, total)} value={checked} aria-label={t('record.chain.verify')} />
      </div>
    )
  return (
    <div>
      <p role="status">
        <ChainTag state={state} /> <Verdict last={last} />
      </p>
      {state === 'broken' && <p>{t('record.chain.help')}</p>}
      {state === 'intact' && head !== null && (
        <p className={styles.head}>
          <span>{t('record.chain.head')}</span> <code>{head}</code>
          <small>{t('record.chain.head.help')}</small>
        </p>
      )}
      <p className={styles.by}>
        {nameValue(
          t('record.chain.last'),
          t('record.chain.by', { name: by, time: formatMoment(finishedAt ?? startedAt, language) }),
        )}
      </p>
    </div>
  )
}

function Verdict({ last: { state, checked, broken, startedAt } }: { last: Verification }) {
  const { t, language } = useMessages()
  if (state === 'stopped') return t('record.chain.stopped')
  if (!broken) return t('record.chain.intact', { count: checked, time: formatMoment(startedAt, language) })
  return broken.why === 'cut' ? t('record.chain.cut') : t(`record.chain.${broken.why}`, { seq: broken.seq })
}

export default page({ View: RecordView })
