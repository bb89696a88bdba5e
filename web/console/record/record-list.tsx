import { auditActionsOf, auditSubjects } from '#contract/audit-actions.ts'
import { auditLog } from '#contract/console-audit-log.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { EntryDetails } from './entry-details.tsx'
import { ActorLink, SentenceOf, SubjectLink, TimeOf } from './entry-parts.tsx'
import { sentenceWithoutNames } from './entry-sentence.ts'
import styles from './record.module.css'

export const recordList: ListSpec<typeof auditLog> = {
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
