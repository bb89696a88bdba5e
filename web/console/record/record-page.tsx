import { auditActionsOf, auditSubjects } from '#contract/audit-actions.ts'
import { auditLog } from '#contract/console-audit-log.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ChainPart } from './chain-part.tsx'
import { EntryDetails } from './entry-details.tsx'
import { ActorLink, SentenceOf, SubjectLink, TimeOf } from './entry-parts.tsx'
import { sentenceWithoutNames } from './entry-sentence.ts'
import styles from './record.module.css'

const recordList: ListSpec<typeof auditLog> = {
  resource: auditLog,
  route: 'console.record',
  caption: 'record.caption',
  nameOf: ({ seq }) => String(seq),
  columns: [
    { name: 'at', heading: 'record.column.at', sort: 'at', cell: (entry) => <TimeOf entry={entry} /> },
    { name: 'actor', heading: 'record.column.actor', cell: (entry) => <ActorLink entry={entry} /> },
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
      isExtra: true,
      cell: (entry) => <SubjectLink entry={entry} />,
    },
    {
      name: 'action',
      heading: 'record.column.action',
      isExtra: true,
      cell: ({ action }) => <code>{action}</code>,
    },
    { name: 'seq', heading: 'record.column.seq', isExtra: true, isFigure: true, cell: ({ seq }) => seq },
  ],
  filters: {
    action: {
      label: 'record.filter.action',
      kind: 'choice',
      options: auditSubjects.flatMap((kind) =>
        auditActionsOf[kind].map((action) => ({
          value: action,
          label: sentenceWithoutNames(action),
          group: `record.kind.${kind}`,
        })),
      ),
    },
    kind: {
      label: 'record.filter.kind',
      kind: 'choice',
      options: auditSubjects.map((kind) => ({ value: kind, label: `record.kind.${kind}` })),
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

export default page({ View: RecordView })
