import { DAY } from '#contract/platform/durations.ts'
import { insertSampleNotes } from './notes.ts'
import { insertSampleTokens } from './api-tokens.ts'
import { insertSampleAmbassadors } from './ambassadors.ts'
import { insertSampleApplications } from './ambassador-applications.ts'
import { insertSampleNewsroom } from './posts.ts'
import { insertSampleConversations, type SampleAttachment } from './conversations.ts'
import { insertSampleConsents } from './consents.ts'
import { insertSampleContent } from './content.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { insertSampleCases, type SampleFiles } from './kyc-cases.ts'
import { insertSampleMails } from './emails.ts'
import { insertSampleNotifications } from './notifications.ts'
import { insertSampleOperators } from './operators.ts'
import { insertSamplePeople } from './people.ts'
import { backdateMembers } from './member-rows.ts'
import { insertSampleInvitations } from './staff-invitations.ts'
import { insertSampleReads } from './reads.ts'
import { insertSampleViews } from './saved-views.ts'
import { insertSampleSubscribers } from './subscribers.ts'
import { insertSampleKnown } from './official-entries.ts'
import { insertSampleOrders } from './orders.ts'
import { insertSampleChanges } from './sale-changes.ts'
import { makeDice, type SampleWorld } from './world.ts'
import type { Services } from '#api/platform/services.ts'
import { insertSampleFactors } from './factors.ts'
import { insertSampleWebhooks } from './webhooks.ts'

/** Staff accounts were created before all others. */
const operatorsSince = 75 * DAY

type WorldNeeds = {
  adminId: string
  /** The accounts whose sign-in details are printed at startup. */
  accounts: readonly string[]
  domain: string
  operatorsHash: string
  peopleHash: string
  files: SampleFiles
  attachment: SampleAttachment
}

/** Each module inserts its part. Members who decide or buy come after those whose cases are decided. */
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
  await insertSampleInvitations(db, world, needs.domain)
  await insertSampleConsents(db, content, world)
  await insertSampleFactors(db, keys, world)
  await insertSampleNotes(db, world)
  await insertSampleChanges(db, world)
  await insertSampleCases(db, keys, world, needs.files)
  await insertSampleOrders(db, world, config.orderPayTime)
  await insertSampleConversations(db, world, {
    domain: needs.domain,
    sampleMemberId: needs.accounts.at(-1)!,
    attachment: needs.attachment,
  })
  await insertSampleApplications(db, world)
  await insertSampleAmbassadors(db, keys, world)
  await insertSampleNewsroom(db, services, world)
  await insertSampleContent(db, world)
  await insertSampleKnown(db, world)
  await insertSampleSubscribers(db, world)
  await insertSampleMails(db, services, world)
  await insertSampleNotifications(db, services, world, needs.accounts.at(-1)!)
  await insertSampleTokens(db, world)
  await insertSampleWebhooks(db, services, world)
  await insertSampleReads(db, world)
  await insertSampleViews(db, world)
  await insertSampleAudit(db, world)
}

/** Inserts the entries in chronological order, because the hash chain follows the order of insertion. */
async function insertSampleAudit(db: Tx, { audit }: SampleWorld): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values(
      audit
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, actorId, action, subjectKind, subjectId, detail = {} }) => ({
          at: new Date(at),
          actor_id: actorId,
          action,
          subject_kind: subjectKind,
          subject_id: subjectId,
          detail: JSON.stringify(detail),
        })),
    )
    .execute()
}
