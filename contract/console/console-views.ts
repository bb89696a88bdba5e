import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, id, line, requiredLine } from '../platform/fields.ts'

/** Saved views per list. */
export const viewsMax = 30

/** A saved view: the filters, sort order, and columns of a list, as the query string of its address. */
const consoleView = z.object({
  id,
  name: z.string(),
  query: z.string(),
  /** Whether everyone who can read the list sees it. */
  isShared: z.boolean(),
  /** Whether the caller can change and delete it: their own views, and every shared one as an administrator. */
  isEditable: z.boolean(),
  /** Whether the caller saved it. */
  isOwn: z.boolean(),
})
export type ConsoleView = z.infer<typeof consoleView>

const list = z.string().check(z.regex(/^[A-Za-z][\w-]{0,39}$/, 'invalid'), z.maxLength(40, 'too_long'))
export const viewName = requiredLine(60)
const ofOne = { access: staff('any'), params: z.strictObject({ id }) }

export const listConsoleViews = endpoint('GET', 'admin/views', {
  about:
    'List the saved views of a list: the caller’s own, and those shared with everyone who can read the list.',
  access: staff('any'),
  query: z.strictObject({ list }),
  output: z.array(consoleView),
})

/** Counting stops here. */
export const viewCountMax = 99

export const countConsoleViews = endpoint('GET', 'admin/views/counts', {
  about:
    'Count the rows of the saved views of a list, as far as the caller can read it. Views with search words are not counted.',
  access: staff('any'),
  query: z.strictObject({ list }),
  output: z.array(
    z.object({
      id,
      /** `viewCountMax` + 1 if there are more. */
      count: z.number(),
    }),
  ),
})

export const saveConsoleView = endpoint('POST', 'admin/views', {
  about:
    'Save a view of a list, for the caller or for everyone who can read the list. The caller’s view with the same name is replaced.',
  access: staff('any'),
  status: 201,
  body: z.strictObject({
    list,
    name: viewName,
    query: line(2000),
    isShared: z._default(z.boolean(), false),
  }),
  output: consoleView,
  errors: ['forbidden'],
})

export const renameConsoleView = endpoint('POST', 'admin/views/:id', {
  about:
    'Rename a saved view, and share it or stop sharing it. Administrators can do so with every shared view of a list that they can read.',
  ...ofOne,
  body: z.strictObject({ name: viewName, isShared: z.optional(z.boolean()) }),
  output: consoleView,
  errors: ['not_found', 'conflict', 'forbidden'],
})

export const deleteConsoleView = endpoint('DELETE', 'admin/views/:id', {
  about: 'Delete a saved view. Administrators can delete every shared view of a list that they can read.',
  ...ofOne,
  output: done('dropped'),
  errors: ['not_found'],
})
