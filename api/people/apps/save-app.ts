import type { api } from '#contract/api.ts'
import type { AppRecord, AppInput, App } from '#contract/people/apps.ts'
import { flattenApp } from '#contract/people/flat-app.ts'
import { changesBetween } from '#contract/people/settings.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { notifyAboutOfficial } from '../settings/notify-about-official.ts'
import { Refused, type FieldRefusal } from '../../platform/refused.ts'
import { keepVersion } from '../settings/keep-version.ts'
import { officialOfApp } from './official-of-app.ts'
import { findAppByFullName, lockApp, updateApp, type AppRow } from './app.queries.ts'

export const updateAppRecord: Handler<typeof api.updateAppRecord> = ({ body }, context) => {
  const { lastUpdated, ...given } = body
  return transaction(context.db, (db) => saveApp(db, context, given, { lastUpdated }))
}

export async function saveApp(
  db: Tx,
  context: Pick<MemberContext, 'caller' | 'config' | 'keys'>,
  given: AppInput,
  of: { lastUpdated?: string | null | undefined; restoredId?: string },
): Promise<AppRecord> {
  const { caller, config } = context
  const fields = problemsOf(given)
  if (fields.length > 0) throw new Refused('validation_failed', { fields })
  const stored = await lockApp(db, config.appId)
  if (of.lastUpdated !== undefined && of.lastUpdated !== stored.updated_at.toISOString())
    throw new Refused('conflict')
  const [before, after] = [flattenApp(givenOf(stored)), flattenApp(given)]
  const changes = changesBetween(before, after)
  if (changes.length === 0) return presentRecord(stored)
  const named = await findAppByFullName(db, given.fullName)
  if (named && named.id !== stored.id)
    throw new Refused('validation_failed', { fields: [{ path: 'fullName', code: 'already_listed' }] })
  caller.requireStepUp()
  const updated = await updateApp(db, config.appId, given)
  const [removed, added] = comparedOfficial(givenOf(stored), given)
  if (removed !== added)
    await notifyAboutOfficial(db, context, { memberIds: [caller.memberId] }, () =>
      [removed, added].filter(Boolean).join(' → '),
    )
  await keepVersion(db, {
    subject: 'app',
    by: caller.memberId,
    ...(of.restoredId !== undefined && { restoredId: of.restoredId }),
    before,
    after,
  })
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'app-updated',
    subjectKind: 'app',
    subjectId: null,
    detail: { fields: changes.map(({ path }) => path) },
  })
  return presentRecord(updated)
}

/** Returns what is no longer official, and what is official from now on. */
function comparedOfficial(before: AppInput, after: AppInput): [removed: string, added: string] {
  const [old, next] = [before, after].map((app) =>
    officialOfApp(app).map(({ name, value }) => [name, value].filter(Boolean).join(': ')),
  ) as [string[], string[]]
  return [
    old.filter((text) => !next.includes(text)).join(', '),
    next.filter((text) => !old.includes(text)).join(', '),
  ]
}

/** Rejects duplicate coins. */
function problemsOf({ coins }: AppInput): FieldRefusal[] {
  const symbols = coins.map(({ symbol }) => symbol)
  return symbols.flatMap((symbol, index): FieldRefusal[] =>
    symbols.indexOf(symbol) < index ? [{ path: `coins.${index}.symbol`, code: 'already_listed' }] : [],
  )
}

export const presentApp = (row: AppRow): App => ({ _id: row.id, ...givenOf(row) })

export const presentRecord = (row: AppRow): AppRecord => ({
  ...givenOf(row),
  isEdited: row.edited_at !== null,
  lastUpdated: row.updated_at.toISOString(),
})

const givenOf = (row: AppRow): AppInput => ({
  name: row.name,
  fullName: row.full_name,
  contact: row.contact,
  coins: row.coins as App['coins'],
  docs: row.docs as App['docs'],
})
