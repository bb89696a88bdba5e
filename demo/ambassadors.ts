import people from '#content/samples/ambassadors.json' with { type: 'json' }
import type { AmbassadorProfileState } from '#contract/people/ambassador-profiles.ts'
import type { InvitationCause } from '#contract/people/ambassador-results.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { Keys } from '#api/platform/keys.ts'
import { newInvitationCode } from '#api/platform/text/readable-codes.ts'
import type { SamplePerson, SampleWorld } from './world.ts'
import { linkApplication } from '#api/people/ambassadors/applications/application.queries.ts'
import { claimSlug } from '#api/people/ambassadors/profiles/ambassador.queries.ts'
import { slugHash } from '#api/people/ambassadors/profiles/assign-slug.ts'

type Sample = {
  /** The public version comes first. Null if the ambassador was invited and has not joined yet. */
  profiles: readonly AmbassadorProfileState[] | null
  standing?: 'hidden' | 'ended'
}

const reason = 'Sample: the picture shows somebody else.'

/** The first ones have the words of `content/samples/ambassadors.json`, in the same order. */
const samples: readonly Sample[] = [
  { profiles: ['approved'] },
  { profiles: ['approved', 'submitted'] },
  { profiles: ['approved', 'draft'] },
  { profiles: ['submitted'] },
  { profiles: ['returned'] },
  { profiles: ['approved'], standing: 'hidden' },
  { profiles: ['approved'], standing: 'ended' },
  { profiles: [] },
  { profiles: null },
]
const weeksTold = 9

/** Finds the people who became ambassadors through the sample applications, oldest first. */
const listAccepted = (db: Tx) =>
  db
    .selectFrom('ambassador_application')
    .select(['id', 'email', 'full_name', 'language', 'state_at'])
    .where('status', '=', 'accepted')
    .orderBy('state_at')
    .orderBy('id')
    .execute()

type Accepted = Awaited<ReturnType<typeof listAccepted>>[number]

/** Inserts ambassadors with profiles in every state, and referral results for some of them. */
export async function insertSampleAmbassadors(db: Tx, keys: Keys, world: SampleWorld): Promise<void> {
  const members = world.people.filter(
    ({ part, activatedAt, closedAt }) => part === 'none' && activatedAt !== null && closedAt === null,
  )
  const accepted = await listAccepted(db)
  for (const [index, sample] of samples.entries()) {
    const [member, application] = [members[index], accepted[index]]
    // A project may have fewer people in its samples.
    if (!member || !application || (sample.profiles?.length && !people[index])) return
    const id = await insertOne(db, keys, world, { sample, member, application, index })
    await insertProfiles(db, world, { sample, application, index, id })
    if (index < 3) await insertFigures(db, world, id, index)
  }
}

type One = { sample: Sample; member: SamplePerson; application: Accepted; index: number }

async function insertOne(
  db: Tx,
  keys: Keys,
  { now }: SampleWorld,
  { sample, member, application, index }: One,
): Promise<string> {
  const { profiles, standing } = sample
  const since = application.state_at
  const slug = profiles?.[0] === 'approved' ? people[index]!.id : null
  if (slug !== null) await claimSlug(db, slugHash(keys, slug))
  const { id } = await db
    .insertInto('ambassador')
    .values({
      full_name: application.full_name,
      language: application.language,
      email: profiles ? null : application.email,
      member_id: profiles ? member.id : null,
      joined_at: profiles ? since : null,
      code: newInvitationCode(),
      slug,
      position: slug === null ? null : index + 1,
      since,
      created_at: since,
      hidden_at: standing === 'hidden' ? new Date(now - 5 * DAY) : null,
      ended_at: standing === 'ended' ? new Date(now - 3 * DAY) : null,
      reason: standing ? reason : '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await linkApplication(db, application.id, id)
  return id
}

type Profiles = Omit<One, 'member'> & { id: string }

async function insertProfiles(
  db: Tx,
  { now, operators }: SampleWorld,
  { sample: { profiles }, application, index, id: ambassadorId }: Profiles,
): Promise<void> {
  if (!profiles?.length) return
  const { link, languages, en, cn } = people[index]!
  const since = application.state_at
  const isDecided = (state: AmbassadorProfileState) => state === 'approved' || state === 'returned'
  await db
    .insertInto('ambassador_profile')
    .values(
      profiles.map((state) => ({
        ambassador_id: ambassadorId,
        state,
        name_en: en.name,
        name_cn: cn.name,
        place_en: en.place,
        place_cn: cn.place,
        sentence_en: en.sentence,
        sentence_cn: cn.sentence,
        link,
        languages,
        reason: state === 'returned' ? reason : '',
        submitted_at: state === 'submitted' ? new Date(now - (index + 1) * DAY) : null,
        decided_at: isDecided(state) ? since : null,
        decided_by: isDecided(state) ? operators.employee2 : null,
        updated_at: since,
      })),
    )
    .execute()
}

/** Returns the Monday of the given number of weeks ago. */
function mondayOf(now: number, weeksAgo: number): string {
  const today = new Date(now)
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return new Date(now - (sinceMonday + weeksAgo * 7) * DAY).toISOString().slice(0, 10)
}

async function insertFigures(db: Tx, { now, dice }: SampleWorld, id: string, index: number): Promise<void> {
  const points: { cause: InvitationCause; points: number; week: string }[] = []
  for (let ago = weeksTold - index; ago > 0; ago -= 1) {
    const week = mondayOf(now, ago)
    const [activations, identities] = [ago % 4, dice.isLucky(0.5) ? 1 : 0]
    await db
      .insertInto('invitation_week')
      .values({ ambassador_id: id, week, sign_ups: activations + (ago % 3), activations, identities })
      .execute()
    for (let n = 0; n < activations; n += 1) points.push({ cause: 'activation', points: 1, week })
    for (let n = 0; n < identities; n += 1) points.push({ cause: 'identity', points: 10, week })
  }
  if (points.length === 0) return
  const rows = await db
    .insertInto('ambassador_point')
    .values(points.map((each) => ({ ambassador_id: id, ...each })))
    .returning(['id', 'points', 'cause'])
    .execute()
  const withdrawn = rows.find(({ cause }) => cause === 'identity')
  if (withdrawn && index === 0)
    await db
      .insertInto('ambassador_point')
      .values({
        ambassador_id: id,
        cause: 'identity',
        points: -withdrawn.points,
        week: mondayOf(now, 1),
        reverses: withdrawn.id,
      })
      .execute()
}
