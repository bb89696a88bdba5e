import { DAY } from '#contract/durations.ts'
import { insertSampleNotes } from './accounts/console/sample-note.queries.ts'
import { insertSampleTokens } from './api-tokens/insert-sample-tokens.ts'
import { insertSampleAmbassadors } from './ambassadors/profiles/sample-ambassador.queries.ts'
import { insertSampleApplications } from './ambassadors/applications/sample-application.queries.ts'
import { insertSampleNewsroom } from './announcements/insert-sample-newsroom.ts'
import { insertSampleAudit } from './audit/sample-audit.queries.ts'
import { insertSampleConsents } from './consents/sample-consent.queries.ts'
import { insertSampleContent } from './content/editing/insert-sample-content.ts'
import type { Tx } from './db/database.ts'
import { insertSampleCases, type SampleFiles } from './kyc/insert-sample-cases.ts'
import { insertSampleMails } from './mail/insert-sample-mails.ts'
import { insertSampleOperators } from './members/insert-sample-operators.ts'
import { insertSamplePeople } from './members/insert-sample-people.ts'
import { backdateMembers } from './members/sample-member.queries.ts'
import { insertSampleSubscribers } from './newsletter/insert-sample-subscribers.ts'
import { insertSampleKnown } from './official/sample-known.queries.ts'
import { insertSampleOrders } from './orders/insert-sample-orders.ts'
import { insertSampleChanges } from './sale/insert-sample-changes.ts'
import { makeDice, type SampleWorld } from './sample-world.ts'
import type { Services } from './services.ts'
import { insertSampleFactors } from './sessions/insert-sample-factors.ts'
import { insertSampleWebhooks } from './webhooks/insert-sample-webhooks.ts'

/** The operators were there before everybody else. */
const operatorsSince = 75 * DAY

export type WorldNeeds = {
  adminId: string
  /** All who are printed at the start. */
  accounts: readonly string[]
  domain: string
  operatorsHash: string
  peopleHash: string
  files: SampleFiles
}

/** Each noun inserts its part; those who decide and buy come after those who are decided on. */
export async function insertSampleWorld(db: Tx, services: Services, needs: WorldNeeds): Promise<void> {
  const { keys, config, content } = services
  const now = Date.now()
  const since = new Date(now - operatorsSince)
  await backdateMembers(db, needs.accounts, since)
  const levels = await insertSampleOperators(db, {
    domain: needs.domain,
    passwordHash: needs.operatorsHash,
    since,
  })
  const world: SampleWorld = {
    now,
    dice: makeDice(),
    operators: { admin: needs.adminId, ...levels },
    people: [],
    audit: [],
    mails: [],
  }
  await insertSamplePeople(db, world, needs.peopleHash)
  await insertSampleConsents(db, content, world)
  await insertSampleFactors(db, keys, world)
  await insertSampleNotes(db, world)
  await insertSampleChanges(db, world)
  await insertSampleCases(db, keys, world, needs.files)
  await insertSampleOrders(db, world, config.orderPayTime)
  await insertSampleApplications(db, world)
  await insertSampleAmbassadors(db, keys, world)
  await insertSampleNewsroom(db, services, world)
  await insertSampleContent(db, world)
  await insertSampleKnown(db, world)
  await insertSampleSubscribers(db, world)
  await insertSampleMails(db, services, world)
  await insertSampleTokens(db, world)
  await insertSampleWebhooks(db, services, world)
  await insertSampleAudit(db, world)
}
