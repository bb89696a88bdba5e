import { sql } from 'kysely'
import { subscribers } from '#contract/publishing/newsletter.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { literalInLike } from '../../../platform/db/expressions.ts'
import { readList } from '../../../platform/db/read-list.ts'
import type { Page } from '../../../platform/db/read-page.ts'

const startOf = (day: string) => sql<Date>`(${day}::date::timestamp at time zone 'utc')`
const endOf = (day: string) => sql<Date>`((${day}::date + 1)::timestamp at time zone 'utc')`

export const listConsoleSubscribers = (db: Tx, filters: FiltersOf<typeof subscribers>, page: Page) =>
  readList(
    subscribers,
    {
      rows: db.selectFrom('subscriber').selectAll(),
      where: {
        email: (rows, email) => rows.where('email', 'like', `${literalInLike(email.toLowerCase())}%`),
        state: (rows, state) => rows.where('state', '=', state),
        language: (rows, language) => rows.where('language', '=', language),
        from: (rows, from) => rows.where('asked_at', '>=', startOf(from)),
        to: (rows, to) => rows.where('asked_at', '<', endOf(to)),
      },
      sortBy: { asked: 'asked_at' },
      id: 'id',
    },
    filters,
    page,
  )
