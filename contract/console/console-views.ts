import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, id, line, requiredLine } from '../platform/fields.ts'

/** Saved views per list. */
export const viewsMax = 30

/** A saved view: the filters, sort order, and columns of a list, as the query string of its address. */
const consoleView = z.object({ id, name: z.string(), query: z.string() })
export type ConsoleView = z.infer<typeof consoleView>

const list = z.string().check(z.regex(/^[A-Za-z][\w-]{0,39}$/, 'invalid'), z.maxLength(40, 'too_long'))
export const viewName = requiredLine(60)
const ofOne = { access: staff('any'), params: z.strictObject({ id }) }

export const listConsoleViews = endpoint('GET', 'admin/views', {
  about: 'List the caller’s own saved views of a list, by name.',
  access: staff('any'),
  query: z.strictObject({ list }),
  output: z.array(consoleView),
})

export const saveConsoleView = endpoint('POST', 'admin/views', {
  about: 'Save a view of a list for the caller. A view with the same name is replaced.',
  access: staff('any'),
  status: 201,
  body: z.strictObject({ list, name: viewName, query: line(2000) }),
  output: consoleView,
})

export const renameConsoleView = endpoint('POST', 'admin/views/:id', {
  about: 'Rename one of the caller’s own saved views.',
  ...ofOne,
  body: z.strictObject({ name: viewName }),
  output: consoleView,
  errors: ['not_found', 'conflict'],
})

export const deleteConsoleView = endpoint('DELETE', 'admin/views/:id', {
  about: 'Delete one of the caller’s own saved views.',
  ...ofOne,
  output: done('dropped'),
  errors: ['not_found'],
})
