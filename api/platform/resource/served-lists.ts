import * as z from 'zod/mini'
import type { Access } from '#contract/platform/endpoint.ts'
import { parameterOf, type AnyResource } from '#contract/platform/resource.ts'
import type { Page, PageOf } from '../db/read-page.ts'
import type { MemberContext } from '../http/handler.ts'

type ServedList = {
  access: Access
  /**
   * Counts the rows that the caller sees, up to `max` + 1. Undefined if the filters are no longer supported, or contain
   * search words, because such a search would not be in the audit log and can take long.
   */
  count: (context: MemberContext, filters: URLSearchParams, max: number) => Promise<number | undefined>
}

/** The lists of the program by name, which `serveResource` adds as their modules are loaded. */
const lists = new Map<string, ServedList>()

export const findServedList = (name: string): ServedList | undefined => lists.get(name)

/** Adds a list to those that can be counted. */
export function addServedList(
  { declared }: AnyResource,
  read: (context: MemberContext, filters: never, page: Page) => Promise<PageOf<unknown>>,
): void {
  const { name, access, filters, defaults, palette } = declared
  const schema = z.strictObject(filters)
  const filterOf = new Map(Object.keys(filters).map((filter) => [parameterOf(filter), filter]))
  lists.set(name, {
    access,
    async count(context, query, max) {
      const chosen: Record<string, string> = { ...defaults }
      for (const [parameter, value] of query) {
        const filter = filterOf.get(parameter)
        if (filter === palette || (!filter && parameter !== 'columns')) return undefined
        if (filter && filter !== 'sort') chosen[filter] = value
      }
      // An empty parameter removes a default.
      for (const filter of Object.keys(defaults ?? {})) if (chosen[filter] === '') delete chosen[filter]
      const parsed = schema.safeParse(chosen)
      if (!parsed.success) return undefined
      const { rows } = await read(context, parsed.data as never, { limit: max + 1, after: undefined })
      return rows.length
    },
  })
}
