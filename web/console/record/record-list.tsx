import { auditActionsOf, auditSubjects } from '#contract/audit-actions.ts'
import { exportRecord, listRecord, type RecordEntry } from '#contract/console-record.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { kindWords } from './action-words.ts'
import { EntryDetails } from './entry-details.tsx'
import { ActorLink, SentenceOf, SubjectLink, TimeOf } from './entry-parts.tsx'
import { anybodysSentence } from './entry-sentence.ts'
import styles from './record.module.css'

export const recordList: ListSpec<typeof listRecord, RecordEntry> = {
  name: 'record',
  route: 'console.record',
  endpoint: listRecord,
  rowsOf: (rows) => rows,
  caption: 'record.caption',
  rowKey: ({ id }) => id,
  nameOf: ({ seq }) => String(seq),
  columns: [
    { name: 'at', heading: 'record.column.at', sort: 'at', cell: (entry) => <TimeOf entry={entry} /> },
    { name: 'actor', heading: 'record.column.actor', cell: (entry) => <ActorLink entry={entry} /> },
    {
      name: 'what',
      heading: 'record.column.what',
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
  filters: [
    {
      name: 'action',
      label: 'record.filter.action',
      kind: 'choice',
      options: auditSubjects.flatMap((kind) =>
        auditActionsOf[kind].map((action) => ({
          value: action,
          label: anybodysSentence(action),
          group: kindWords[kind],
        })),
      ),
    },
    {
      name: 'kind',
      label: 'record.filter.kind',
      kind: 'choice',
      options: auditSubjects.map((kind) => ({ value: kind, label: kindWords[kind] })),
    },
    {
      name: 'what',
      label: 'record.filter.what',
      kind: 'choice',
      options: [
        { value: 'changes', label: 'record.what.changes' },
        { value: 'readings', label: 'record.what.readings' },
      ],
    },
    { name: 'from', label: 'record.filter.from', kind: 'day' },
    { name: 'to', label: 'record.filter.to', kind: 'day' },
    {
      name: 'actor',
      label: 'record.filter.actor',
      kind: 'text',
      placeholder: 'record.filter.actor.help',
    },
    {
      name: 'subject',
      label: 'record.filter.subject',
      kind: 'text',
      placeholder: 'record.filter.subject.help',
    },
  ],
  defaultSort: '-at',
  none: { title: 'record.none' },
  file: exportRecord,
}
