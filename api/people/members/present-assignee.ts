import type { Colleague } from '#contract/people/assignment.ts'

type Assigned = { assignee_id: string | null; assignee_name: string | null }

export const presentAssignee = ({ assignee_id: id, assignee_name: name }: Assigned): Colleague | null =>
  id === null ? null : { id, name }
