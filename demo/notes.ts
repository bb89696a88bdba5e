import type { MemberNote } from '#contract/people/console-members.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'

/** Notes by colleagues about people in the demo data. */
const notes: readonly [MemberNote['kind'], number, string][] = [
  [
    'note',
    3,
    'Sample: called about last week’s order and wants a call back after 5 p.m. @Sample administrator, please take over.',
  ],
  [
    'note',
    8,
    'Sample: writes in Chinese. I sent the wallet manual. @Sample administrator, for your information.',
  ],
  ['note', 15, 'Sample: helps with translations. See the ambassador applications.'],
  ['note', 21, 'Sample: asked why the terms changed. I replied with a link to that day’s post.'],
  ['activated', 5, 'Sample: proved that the mailbox is theirs again.'],
  ['rights', 30, 'Sample: had access to the newsroom for a one-week trial, which has ended.'],
  ['export', 7, 'Sample: requested a copy of their data by letter.'],
  ['email', 4, 'Sample: mistyped the address at sign-up, and read one of our emails to us over the phone.'],
  ['recovery', 6, 'Sample: lost the phone and the recovery codes, and called from the number on file.'],
  ['erasure', 2, 'Sample: requested erasure by letter. The signature matches the one in the application.'],
]

/** The number of notes in which the administrator is mentioned. */
const mentionedIn = 2

export async function insertSampleNotes(db: Tx, world: SampleWorld): Promise<void> {
  const { employee2, admin } = world.operators
  const readers = world.people.filter(
    ({ part, activatedAt, closedAt }) => part === 'none' && activatedAt !== null && closedAt === null,
  )
  const absent = await findAbsent(
    db,
    readers.map(({ id }) => id),
    new Date(world.now - 4 * DAY),
  )
  const written = notes.map(([kind, daysAgo, text], index) => ({
    member_id: kind === 'erasure' ? absent : readers[index * 3]!.id,
    kind,
    text,
    author_id: employee2,
    at: new Date(world.now - daysAgo * DAY - HOUR * index),
  }))
  const closed = world.people
    .filter(({ closedAt }) => closedAt !== null)
    .map((person) => ({
      member_id: person.id,
      kind: 'deactivated' as const,
      text: 'Sample: asked by phone to have the account deactivated for now.',
      author_id: employee2,
      at: new Date(person.closedAt!),
    }))
  const inserted = await db
    .insertInto('staff_note')
    .values([...written, ...closed])
    .returning(['id', 'at', 'kind'])
    .execute()
  await insertErasureRequests(db, world, written)
  const mentioning = inserted.filter(({ kind }) => kind === 'note').slice(0, mentionedIn)
  await db
    .insertInto('staff_mention')
    .values(
      mentioning.map(({ id, at }, index) => ({
        note_id: id,
        member_id: admin,
        at,
        seen_at: index === 0 ? null : new Date(at.getTime() + HOUR),
      })),
    )
    .execute()
}

/** The member who signed in longest ago: a sign-in after the request would cancel the erasure. */
async function findAbsent(db: Tx, among: readonly string[], before: Date): Promise<string> {
  const { id } = await db
    .selectFrom('member_summary')
    .select('id')
    .where('id', 'in', among)
    .where('last_sign_in_at', '<', before)
    .orderBy('last_sign_in_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** Each note about an erasure belongs to a request that awaits a second person. */
async function insertErasureRequests(
  db: Tx,
  world: SampleWorld,
  written: readonly {
    member_id: string
    kind: MemberNote['kind']
    text: string
    author_id: string
    at: Date
  }[],
): Promise<void> {
  const asked = written.filter(({ kind }) => kind === 'erasure')
  await db
    .insertInto('erasure_request')
    .values(
      asked.map(({ member_id, text, author_id, at }) => ({
        member_id,
        opened_by: author_id,
        opened_at: at,
        reason: text,
      })),
    )
    .execute()
  for (const { member_id, author_id, at } of asked)
    world.audit.push({
      at: at.getTime(),
      action: 'erasure-opened',
      actorId: author_id,
      subjectKind: 'member',
      subjectId: member_id,
    })
}
