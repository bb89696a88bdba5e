import { sql } from 'kysely'
import type { SubscriberFilters } from '#contract/newsletter.ts'
import { literalInLike } from '../../db/literal-in-like.ts'
import type { Tx } from '../../db/database.ts'
import { readPage, type Page } from '../../db/read-page.ts'

const startOf = (day: string) => sql<Date>`(${day}::date::timestamp at time zone 'utc')`
const endOf = (day: string) => sql<Date>`((${day}::date + 1)::timestamp at time zone 'utc')`

export const listConsoleSubscribers = (
  db: Tx,
  { email, state, language, from, to, sort = '-asked' }: SubscriberFilters,
  page: Page,
) =>
  readPage(
    db
      .selectFrom('subscriber')
      .selectAll()
      .$if(email !== undefined && email !== '', (query) =>
        query.where('email', 'like', `${literalInLike(email!.toLowerCase())}%`),
      )
      .$if(state !== undefined, (query) => query.where('state', '=', state!))
      .$if(language !== undefined, (query) => query.where('language', '=', language!))
      .$if(from !== undefined, (query) => query.where('asked_at', '>=', startOf(from!)))
      .$if(to !== undefined, (query) => query.where('asked_at', '<', endOf(to!))),
    page,
    { at: 'asked_at', id: 'id', direction: sort === '-asked' ? 'desc' : 'asc' },
  )
