import type { Colleague } from '#contract/people/assignment.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { nameOfAssignee } from '../detail/assign-form.tsx'
import type { BulkField, BulkOption } from './list-spec.ts'

export const assigneeFilter = {
  kind: 'choice',
  label: 'console.assignee',
  options: [
    { value: 'me', label: 'console.assignee.me' },
    { value: 'nobody', label: 'console.assignee.nobody' },
  ],
} as const

/** The field of the action that assigns several rows. */
export const assigneeField = (colleagues: () => Promise<readonly Colleague[]>): BulkField => ({
  kind: 'choice',
  name: 'to',
  label: 'console.assignee',
  options: async (): Promise<readonly BulkOption[]> => [
    { value: null, label: 'console.assignee.nobody' },
    ...(await colleagues()).map(({ id, name }) => ({ value: id, text: name ?? '–' })),
  ],
})

export const assigneeColumn = {
  name: 'assignee',
  heading: 'console.assignee' satisfies PlainKey,
  cell: ({ assignee }: { assignee: Colleague | null }) => <Assignee assignee={assignee} />,
} as const

/** Returns the version of a row for the assign action: the assignee that the reader saw. */
export const assigneeOf = ({ assignee }: { assignee: Colleague | null }): string => assignee?.id ?? ''

function Assignee({ assignee }: { assignee: Colleague | null }) {
  const words = useMessages()
  return assignee && nameOfAssignee({ assignee }, words)
}
