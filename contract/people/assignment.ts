import * as z from 'zod/mini'
import { endpoint, staff, type Level } from '../platform/endpoint.ts'
import { id } from '../platform/fields.ts'

/** A staff member. The name is null if the account was erased. */
export const colleague = z.object({ id, name: z.nullable(z.string()) })
export type Colleague = z.infer<typeof colleague>

/** A filter of lists. */
export const assigneeFilter = z.optional(z.enum(['me', 'nobody'], 'one_of'))

const assigned = z.object({ assignee: z.nullable(colleague) })

/**
 * Declares the endpoints that assign one kind of record, whose list has the path `path`. `from` is the assignee that the
 * caller has seen: the version of a record can't be used, because other changes depend on it, too.
 */
export const assignmentOf = <L extends Level>(
  path: string,
  { level, about }: { level: L; about: { assign: string; colleagues: string } },
) => ({
  assign: endpoint('POST', `${path}/:id/assign`, {
    about: `${about.assign} If the assignee is not \`from\`, the response is \`conflict\`.`,
    access: staff(level, 2),
    params: z.strictObject({ id }),
    body: z.strictObject({ to: z.nullable(id), from: z.nullable(id) }),
    output: assigned,
    errors: ['not_found', 'conflict'],
  }),
  colleagues: endpoint('GET', `${path}/colleagues`, {
    about: about.colleagues,
    access: staff(level, 1),
    output: z.array(colleague),
  }),
})
