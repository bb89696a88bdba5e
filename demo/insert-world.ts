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
import { insertSampleRounds } from './rounds.ts'
import { makeDice, memberNumber, sampleName, type SamplePerson, type SampleWorld } from './world.ts'
import type { Services } from '#api/platform/services.ts'
import { insertSampleFactors } from './factors.ts'
import { insertSampleWebhooks } from './webhooks.ts'

/** Staff accounts and the sample member's account were created before all others. */
const operatorsSince = 75 * DAY

type SampleAccount = { id: string; email: string }
type WorldNeeds = {
  /** The accounts whose sign-in details are printed at startup. */
  admin: SampleAccount
  member: SampleAccount
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
  await backdateMembers(db, [needs.admin.id, needs.member.id], since)
  const levels = await insertSampleOperators(db, {
    domain: needs.domain,
    passwordHash: needs.operatorsHash,
    since,
  })
  const world: SampleWorld = {
    now,
    dice: makeDice(),
    operators: { admin: needs.admin.id, ...levels },
    people: [],
    audit: [],
    mails: [],
    rounds: [],
  }
  const member = asPerson(needs.member, since)
  await insertSamplePeople(db, world, needs.peopleHash)
  await insertSampleInvitations(db, world, needs.domain)
  await insertSampleConsents(db, content, [member, ...world.people])
  await insertSampleFactors(db, keys, world)
  await insertSampleNotes(db, world)
  world.rounds = await insertSampleRounds(db, world)
  await insertSampleChanges(db, world)
  await insertSampleCases(db, keys, world, { files: needs.files, member })
  await insertSampleOrders(db, world, config)
  await insertSampleConversations(db, world, {
    domain: needs.domain,
    sampleMemberId: member.id,
    attachment: needs.attachment,
  })
  await insertSampleApplications(db, world)
  await insertSampleAmbassadors(db, keys, world)
  await insertSampleNewsroom(db, services, world)
  await insertSampleContent(db, world)
  await insertSampleKnown(db, world)
  await insertSampleSubscribers(db, world)
  await insertSampleMails(db, services, world)
  await insertSampleNotifications(db, services, world, member.id)
  await insertSampleTokens(db, world)
  await insertSampleWebhooks(db, services, world)
  await insertSampleReads(db, world)
  await insertSampleViews(db, world)
  await insertSampleAudit(db, world)
}

/**
 * The sample member as a buyer without orders, who can place the first one at once. Not one of the people of the demo
 * data, whose activity is invented.
 */
const asPerson = ({ id, email }: SampleAccount, since: Date): SamplePerson => ({
  id,
  email,
  n: memberNumber,
  name: sampleName(memberNumber, 'en').whole,
  language: 'en',
  joinedAt: since.getTime(),
  activatedAt: since.getTime(),
  closedAt: null,
  approvedAt: null,
  hasFactor: false,
  part: 'buyer',
})

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
