import type { AmbassadorProfileState } from '#contract/people/ambassador-profiles.ts'
import type { InvitationCause } from '#contract/people/ambassador-results.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { Keys } from '#api/platform/keys.ts'
import { newInvitationCode } from '#api/platform/text/readable-codes.ts'
import type { SamplePerson, SampleWorld } from './world.ts'
import { linkApplication } from '#api/people/ambassadors/applications/application.queries.ts'
import { claimSlug } from '#api/people/ambassadors/profiles/ambassador.queries.ts'

type Sample = {
  place: readonly [en: string, cn: string]
  /** The public version comes first. Null if the ambassador was invited and has not joined yet. */
  profiles: readonly AmbassadorProfileState[] | null
  standing?: 'hidden' | 'ended'
}

const reason = 'Sample: the picture shows somebody else.'

const samples: readonly Sample[] = [
  { place: ['Example Harbour, Portugal', '葡萄牙示例港'], profiles: ['approved'] },
  { place: ['Sample Falls, Canada', '加拿大样本瀑布市'], profiles: ['approved', 'submitted'] },
  { place: ['Musterstadt, Germany', '德国样本城'], profiles: ['approved', 'draft'] },
  { place: ['Ejemplo, Chile', '智利示例镇'], profiles: ['submitted'] },
  { place: ['Example Springs, Kenya', '肯尼亚示例泉'], profiles: ['returned'] },
  { place: ['Sample City, Japan', '日本样本市'], profiles: ['approved'], standing: 'hidden' },
  { place: ['Sampleton, United Kingdom', '英国样本顿'], profiles: ['approved'], standing: 'ended' },
  { place: ['', ''], profiles: [] },
  { place: ['', ''], profiles: null },
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
  const people = world.people.filter(
    ({ part, activatedAt, closedAt }) => part === 'none' && activatedAt !== null && closedAt === null,
  )
  const accepted = await listAccepted(db)
  for (const [index, sample] of samples.entries()) {
    const [person, application] = [people[index], accepted[index]]
    if (!person || !application) return
    const id = await insertOne(db, keys, world, { sample, person, application, index })
    if (index < 3) await insertFigures(db, world, id, index)
  }
}

type One = { sample: Sample; person: SamplePerson; application: Accepted; index: number }

async function insertOne(
  db: Tx,
  keys: Keys,
  { now, operators }: SampleWorld,
  { sample, person, application, index }: One,
): Promise<string> {
  const { profiles, standing, place } = sample
  const since = application.state_at
  const number = /\d+/.exec(application.full_name)![0]
  const slug = `sample-ambassador-${number}`
  const isPublic = profiles?.[0] === 'approved'
  if (isPublic) await claimSlug(db, keys.fingerprint(Buffer.from(`ambassador slug ${slug}`)))
  const { id } = await db
    .insertInto('ambassador')
    .values({
      full_name: application.full_name,
      language: application.language,
      email: profiles ? null : application.email,
      member_id: profiles ? person.id : null,
      joined_at: profiles ? since : null,
      code: newInvitationCode(),
      slug: isPublic ? slug : null,
      position: isPublic ? index + 1 : null,
      since,
      created_at: since,
      hidden_at: standing === 'hidden' ? new Date(now - 5 * DAY) : null,
      ended_at: standing === 'ended' ? new Date(now - 3 * DAY) : null,
      reason: standing ? reason : '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await linkApplication(db, application.id, id)
  if (!profiles?.length) return id
  await db
    .insertInto('ambassador_profile')
    .values(
      profiles.map((state) => ({
        ambassador_id: id,
        state,
        name_en: `Sample Ambassador ${number}`,
        name_cn: `样本大使 ${number}`,
        place_en: place[0],
        place_cn: place[1],
        sentence_en: 'Sample: runs a monthly meeting about running a node.',
        sentence_cn: '示例：每月组织一次节点搭建活动。',
        link: `https://social.example/ambassador-${number}`,
        languages: ['en', 'zh'].slice(0, 1 + (index % 2)),
        reason: state === 'returned' ? reason : '',
        submitted_at: state === 'submitted' ? new Date(now - (index + 1) * DAY) : null,
        decided_at: state === 'approved' || state === 'returned' ? since : null,
        decided_by: state === 'approved' || state === 'returned' ? operators.employee2 : null,
        updated_at: since,
      })),
    )
    .execute()
  return id
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
