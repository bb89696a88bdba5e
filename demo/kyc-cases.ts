import { randomUUID } from 'node:crypto'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { Keys } from '#api/platform/keys.ts'
import { settleFiles } from '#api/platform/pending-files/pending-file.queries.ts'
import { sampleBitcoinAddress, sampleEthereumAddress } from './addresses.ts'
import {
  applicantCount,
  buyerCount,
  makeDice,
  memberNumber,
  type SamplePerson,
  type SampleWorld,
} from './world.ts'
import type { Services } from '#api/platform/services.ts'
import { saveFingerprints } from '#api/people/kyc/fingerprints.ts'
import type { StoredPhoto } from '#api/people/kyc/kyc-photo.queries.ts'
import { isDecision } from '#api/people/kyc/kyc.rules.ts'
import { mailOfTransition } from '#api/people/kyc/notify-applicant.ts'
import { readSampleDocument, sampleDocuments, sampleIdentity } from './kyc-documents.ts'
import { sampleStories, type SampleStory } from './kyc-stories.ts'
import { newDataKey, storePhoto } from '#api/people/kyc/encrypted-documents.ts'
import type { Insertable } from 'kysely'
import type { DB } from '#api/platform/db/rows.ts'

/** `at`: when the person submitted the application. */
type SampleCase = { kept: Kept; person: SamplePerson; story: SampleStory; at: number }
type Kept = { id: string; sealedDataKey: Buffer; photos: StoredPhoto[] }
/** The stored files by the number of the person. */
export type SampleFiles = ReadonlyMap<number, Kept>

/** Encrypts and stores the drawn documents like real ones. Runs before the transaction, to keep it short. */
export async function storeSampleDocuments(
  services: Pick<Services, 'db' | 'files' | 'keys'>,
): Promise<SampleFiles> {
  const people = Array.from({ length: applicantCount + buyerCount }, (_, index) => index + 1)
  const store = async (n: number): Promise<[number, Kept]> => {
    const id = randomUUID()
    const { dataKey, sealedDataKey } = newDataKey(services.keys, id)
    const isApplicant = n !== memberNumber && n <= applicantCount
    const handedIn = isApplicant ? sampleDocuments : sampleDocuments.slice(0, 1)
    const photos = await Promise.all(
      handedIn.map((document) => storePhoto(services, dataKey, id, readSampleDocument(document, n))),
    )
    return [n, { id, sealedDataKey, photos }]
  }
  return new Map(await Promise.all([memberNumber, ...people].map(store)))
}

/** Inserts the cases of the review queue, and the approvals of the buyers and the sample member. */
export async function insertSampleCases(
  db: Tx,
  keys: Keys,
  world: SampleWorld,
  { files, member }: { files: SampleFiles; member: SamplePerson },
): Promise<void> {
  const kept = [...files.values()]
  await settleFiles(
    db,
    kept.flatMap(({ photos }) => photos.map(({ fileKey }) => fileKey)),
  )
  const rows: SampleCaseRow[] = []
  const photos: SampleCasePhoto[] = []
  const steps: SampleCaseStep[] = []
  const samples = [
    ...world.people.flatMap((person) => casesOf(world, person, files)),
    // Separate dice, so that this case doesn't change what follows for the other people.
    ...casesOf({ ...world, dice: makeDice() }, member, files),
  ]
  for (const sample of samples) {
    rows.push(rowOf(world, sample))
    photos.push(...photosOf(sample))
    steps.push(...stepsOf(world, sample))
    noteCase(world, sample)
    const approval = sample.story.steps.find(({ to }) => to === 'approved')
    sample.person.approvedAt = approval ? sample.at + approval.after : null
  }
  await insertSampleCaseRows(db, { rows, photos, steps })
  for (const row of await listSampleCases(
    db,
    rows.map(({ id }) => id),
  ))
    await saveFingerprints(db, keys, row)
}

/** Returns the case of the person, or an empty list if the person has not applied. */
function casesOf(world: SampleWorld, person: SamplePerson, files: SampleFiles): SampleCase[] {
  const kept = files.get(person.n)
  const told = kept && storyOf(world, person)
  if (!told) return []
  const story = {
    ...told,
    steps: told.steps.map((step, index) => ({ ...step, after: step.after + wait(person.n, index) })),
  }
  // Avoids times on the full hour.
  const at = Math.max(
    world.now - story.handedInAgo - world.dice.between(30, 200) * MINUTE,
    person.activatedAt! + HOUR,
  )
  return [{ kept, person, story, at }]
}

const wait = (n: number, index: number): number => ((n * 437 + index * 701) % 1500) * SECOND

/** Buyers were approved within days of signing up. */
function storyOf(
  { dice, now }: SampleWorld,
  { n, part, activatedAt }: SamplePerson,
): SampleStory | undefined {
  if (part === 'applicant') return sampleStories[n - 1]
  const handedInAgo = now - activatedAt! - dice.between(2, 90) * HOUR
  const decided = dice.between(3, 30) * HOUR
  return {
    handedInAgo,
    steps: [
      { to: 'in_review', after: decided - dice.between(20, 100) * MINUTE, by: 'finance2' },
      { to: 'approved', after: decided, by: dice.isLucky(0.8) ? 'finance2' : 'admin' },
    ],
    verdicts: ['accepted'],
  }
}

const whoDid = ({ operators }: SampleWorld, person: SamplePerson, by: SampleStory['steps'][number]['by']) =>
  by === null ? null : by === 'applicant' ? person.id : operators[by]

function rowOf(world: SampleWorld, sample: SampleCase): SampleCaseRow {
  const { kept, person, story, at } = sample
  const identity = sampleIdentity(person.n)
  const last = story.steps.at(-1)
  return {
    id: kept.id,
    member_id: person.id,
    full_name: identity.name,
    country: identity.country,
    date_of_birth: identity.born,
    email: person.email,
    eth_address: sampleEthereumAddress(`ether of ${person.n}`),
    btc_address: sampleBitcoinAddress(`bitcoin of ${story.sharesAddressWith ?? person.n}`),
    status: last?.to ?? 'submitted',
    reason: last?.reason ?? '',
    note: story.note ?? '',
    round: roundOf(story),
    photo_count: kept.photos.length,
    sealed_data_key: kept.sealedDataKey,
    created_at: new Date(at),
    updated_at: new Date(at + (last?.after ?? 0)),
    ...decisionOf(world, sample),
    ...(story.isTaken && { assignee_id: world.operators.finance2, assigned_at: new Date(at + last!.after) }),
    ...(story.isFinal && { is_final: true }),
    ...(story.finalProposedAfter !== undefined && {
      final_proposed_by: world.operators.finance2,
      final_proposed_at: new Date(at + story.finalProposedAfter),
      final_proposed_reason: story.finalReason ?? '',
    }),
  }
}

/** An applicant who was asked for more submits a second time. */
const roundOf = ({ steps }: SampleStory): 1 | 2 => (steps.some(({ to }) => to === 'submitted') ? 2 : 1)

/** The last decision, unless the applicant has submitted again since. */
function decisionOf(world: SampleWorld, { person, story, at }: SampleCase) {
  const answered = story.steps.findLast(({ to }) => to === 'submitted')
  const decision = story.steps.findLast(({ to }) => isDecision(to))
  return decision !== undefined && decision.after > (answered?.after ?? -1)
    ? { decided_at: new Date(at + decision.after), decided_by: whoDid(world, person, decision.by) }
    : { decided_at: null, decided_by: null }
}

const photosOf = ({ kept, story, at }: SampleCase): SampleCasePhoto[] =>
  kept.photos.map((photo, n) => ({
    application_id: kept.id,
    n,
    file_key: photo.fileKey,
    content_type: photo.contentType,
    bytes: photo.bytes,
    content_hash: photo.contentHash,
    created_at: new Date(at),
    verdict: story.verdicts[n] ?? 'open',
    reason: story.verdicts[n] === 'refused' ? (story.refusedBecause ?? '') : '',
  }))

function stepsOf(world: SampleWorld, { kept, person, story, at }: SampleCase): SampleCaseStep[] {
  return story.steps.map((step, index) => ({
    application_id: kept.id,
    from_status: story.steps[index - 1]?.to ?? 'submitted',
    to_status: step.to,
    reason: step.reason ?? '',
    by_member_id: whoDid(world, person, step.by),
    at: new Date(at + step.after),
  }))
}

/**
 * Records the matching audit log entries and emails: the deciding reviewer has read the case and viewed each document.
 */
function noteCase(world: SampleWorld, { kept, person, story, at }: SampleCase): void {
  const note = (
    when: number,
    actorId: string | null,
    action:
      | 'kyc-assigned'
      | 'kyc-viewed'
      | 'kyc-photo-viewed'
      | 'kyc-photo-judged'
      | 'kyc-updated'
      | 'kyc-final-proposed'
      | 'kyc-expired',
    detail: Record<string, string | number | boolean> = {},
  ) => world.audit.push({ at: when, actorId, action, subjectKind: 'kyc', subjectId: kept.id, detail })
  const { finance2 } = world.operators
  world.mails.push({ at, to: person, kind: mailOfTransition('submitted') })
  for (const { to, after, by } of story.steps) {
    const actor = whoDid(world, person, by)
    if (to === 'in_review') note(at + after, actor, 'kyc-assigned', { to: 'me', isTakenOver: false })
    if (to === 'expired') note(at + after, null, 'kyc-expired', { status: to })
    else if (by !== 'applicant') note(at + after, actor, 'kyc-updated', { status: to })
    world.mails.push({
      at: at + after,
      to: person,
      kind: mailOfTransition(to, to === 'rejected' && story.isFinal),
    })
  }
  const looked = story.steps.findLast(({ to }) => to === 'in_review')
  if (!looked) return
  const round = roundOf(story)
  note(at + looked.after + MINUTE, finance2, 'kyc-viewed')
  story.verdicts.forEach((verdict, n) => {
    if (verdict === 'open') return
    const seenAt = at + looked.after + (n + 2) * MINUTE
    note(seenAt, finance2, 'kyc-photo-viewed', { n, round, mark: `SAMPLE${n}` })
    note(seenAt + MINUTE / 2, finance2, 'kyc-photo-judged', { n, verdict })
  })
  if (story.finalProposedAfter !== undefined)
    note(at + story.finalProposedAfter, finance2, 'kyc-final-proposed')
}

type SampleCaseRow = Insertable<DB['kyc_application']> & { id: string }
type SampleCasePhoto = Insertable<DB['kyc_photo']>
type SampleCaseStep = Insertable<DB['kyc_step']> & { at: Date }

/** Steps are listed in the order of insertion. */
async function insertSampleCaseRows(
  db: Tx,
  cases: {
    rows: readonly SampleCaseRow[]
    photos: readonly SampleCasePhoto[]
    steps: readonly SampleCaseStep[]
  },
): Promise<void> {
  await db
    .insertInto('kyc_application')
    .values([...cases.rows])
    .execute()
  await db
    .insertInto('kyc_photo')
    .values([...cases.photos])
    .execute()
  await db
    .insertInto('kyc_step')
    .values(cases.steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    .execute()
}

const listSampleCases = (db: Tx, ids: readonly string[]) =>
  db.selectFrom('kyc_application').selectAll().where('id', 'in', ids).execute()
