import { sql, type SelectQueryBuilder } from 'kysely'
import { mailCountMax, type MailFilters } from '#contract/platform/console-mails.ts'
import type { Tx } from '../../db/database.ts'
import { narrowed } from '../../db/read-list.ts'
import { readPage, type Page, type PageOf } from '../../db/read-page.ts'
import type { DB } from '../../db/rows.ts'
import { restarted } from '../../outbox/outbox.queries.ts'
import { isWithin, type MailScope } from './mail-scope.ts'
import { literalInLike } from '../../db/expressions.ts'

/** Not about identity or money. */
export const isGeneralMail = sql<boolean>`kind !~ '^(kyc|order|staff-order)-'`
const isInHand = sql<boolean>`coalesce(claimed_until > now(), false)`

const columns = [
  'id',
  'to_address',
  'kind',
  'state',
  'attempts',
  'last_error',
  'tries',
  'created_at',
  'changed_at',
  'sent_at',
  'next_try_at',
] as const

const shownMails = (db: Tx) => db.selectFrom('mail').select(columns).select(isInHand.as('is_in_hand'))

export type ShownMailRow = Awaited<ReturnType<ReturnType<typeof shownMails>['executeTakeFirstOrThrow']>>

const startOf = (day: string) => sql<Date>`(${day}::date::timestamp at time zone 'utc')`
const endOf = (day: string) => sql<Date>`((${day}::date + 1)::timestamp at time zone 'utc')`

/** The beginning of an address as a pattern, with wildcards escaped. */
const beginningWith = (text: string) => `${literalInLike(text.toLowerCase())}%`

type Narrowed<Row> = SelectQueryBuilder<DB, 'mail', Row>

const inState = <Row>(query: Narrowed<Row>, state: NonNullable<MailFilters['state']>): Narrowed<Row> => {
  // Both conditions are written out, because the index of undelivered emails is not used for a value known only
  // later.
  if (state === 'sent') return query.where('state', '=', state)
  const undelivered = query.where('state', '!=', sql.lit('sent'))
  if (state === 'failed' || state === 'stopped') return undelivered.where('state', '=', state)
  return undelivered
    .where('state', '=', 'waiting')
    .where('last_error', state === 'waiting' ? 'is' : 'is not', null)
}

export async function listConsoleMails(
  db: Tx,
  scope: MailScope,
  filters: MailFilters,
  page: Page,
): Promise<PageOf<ShownMailRow>> {
  const { kind, sort = '-created' } = filters
  if (kind !== undefined && !isWithin(scope, kind)) return { rows: [], next: undefined }
  const mails = shownMails(db).$if(scope === 'general', (rows) => rows.where(isGeneralMail))
  const query = narrowed(mails, filters, {
    recipient: (rows, recipient) => rows.where('to_address', 'like', beginningWith(recipient)),
    state: inState,
    kind: (rows, kind) => rows.where('kind', '=', kind),
    from: (rows, from) => rows.where('created_at', '>=', startOf(from)),
    to: (rows, to) => rows.where('created_at', '<', endOf(to)),
  })
  return readPage(query, page, {
    at: sort.endsWith('changed') ? 'changed_at' : 'created_at',
    id: 'id',
    direction: sort.startsWith('-') ? 'desc' : 'asc',
  })
}

/** Stops at the limit, so that counting costs the same in any outbox. */
export async function countMailsIn(
  db: Tx,
  scope: MailScope,
  state: NonNullable<MailFilters['state']>,
): Promise<number> {
  const found = inState(
    db
      .selectFrom('mail')
      .select('id')
      .$if(scope === 'general', (query) => query.where(isGeneralMail)),
    state,
  ).limit(mailCountMax + 1)
  const { count } = await db
    .selectFrom(found.as('found'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const listSealedMails = (db: Tx, ids: readonly string[]) =>
  db.selectFrom('mail').select(['id', 'language', 'sealed_message']).where('id', 'in', ids).execute()

const openedMails = (db: Tx, id: string) =>
  shownMails(db)
    .select(['member_id', 'language', 'sealed_message', 'message_id'])
    .select(sql<string>`extract(epoch from now() - created_at) * 1000`.as('age_ms'))
    .select(isStillTheirs().as('is_still_theirs'))
    .where('id', '=', id)

/** Whether the address still belongs to the original recipient, or to nobody who could have changed it. */
const isStillTheirs = () => sql<boolean>`case
  when member_id is not null then exists (
    select from member where member.id = mail.member_id and member.email = mail.to_address)
  when kind in ('email-confirm', 'email-change-confirm') then exists (select from email_change where new_email = mail.to_address)
  else kind = 'ambassador-received' end`

export type OpenedMail = NonNullable<Awaited<ReturnType<typeof findConsoleMail>>>

export const findConsoleMail = (db: Tx, id: string) => openedMails(db, id).executeTakeFirst()

/** No worker can claim it meanwhile. */
export const lockConsoleMail = (db: Tx, id: string) => openedMails(db, id).forUpdate().executeTakeFirst()

/** Due at once; earlier attempts are kept. */
export async function renewMail(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ ...restarted, last_error: null })
    .where('id', '=', id)
    .execute()
}

export async function markMailStopped(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ state: 'stopped', changed_at: sql<Date>`now()`, claimed_until: null })
    .where('id', '=', id)
    .execute()
}

export const findReader = (db: Tx, memberId: string) =>
  db.selectFrom('member').select(['email', 'language']).where('id', '=', memberId).executeTakeFirstOrThrow()
