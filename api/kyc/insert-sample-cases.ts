import { randomUUID } from 'node:crypto'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { settleFiles } from '../pending-files/pending-file.queries.ts'
import { sampleBitcoinAddress, sampleEthereumAddress } from '../sample-addresses.ts'
import { applicantCount, buyerCount, type SamplePerson, type SampleWorld } from '../sample-world.ts'
import type { Services } from '../services.ts'
import { saveFingerprints } from './fingerprints.ts'
import type { StoredPhoto } from './kyc-photo.queries.ts'
import { isDecision } from './kyc.rules.ts'
import { mailOfTransition } from './notify-applicant.ts'
import {
  insertSampleCaseRows,
  listSampleCases,
  type SampleCasePhoto,
  type SampleCaseRow,
  type SampleCaseStep,
} from './sample-case.queries.ts'
import { readSampleDocument, sampleDocuments, sampleIdentity } from './sample-document.ts'
import { sampleStories, type SampleStory } from './sample-stories.ts'
import { newDataKey, storePhoto } from './sealed-documents.ts'

type Kept = { id: string; sealedDataKey: Buffer; photos: StoredPhoto[] }
/** By the number of the person. */
export type SampleFiles = ReadonlyMap<number, Kept>

/** Seals and stores the drawn documents as real ones are. Before the transaction, which others wait for. */
export async function storeSampleDocuments(
  services: Pick<Services, 'db' | 'files' | 'keys'>,
): Promise<SampleFiles> {
  const numbers = Array.from({ length: applicantCount + buyerCount }, (_, index) => index + 1)
  const store = async (n: number): Promise<[number, Kept]> => {
    const id = randomUUID()
    const { dataKey, sealedDataKey } = newDataKey(services.keys, id)
    const handedIn = n <= applicantCount ? sampleDocuments : sampleDocuments.slice(0, 1)
    const photos = await Promise.all(
      handedIn.map((document) => storePhoto(services, dataKey, id, readSampleDocument(document, n))),
    )
    return [n, { id, sealedDataKey, photos }]
  }
  return new Map(await Promise.all(numbers.map(store)))
}

/** The cases of the desk, and the approvals of those who buy. */
export async function insertSampleCases(
  db: Tx,
  keys: Keys,
  world: SampleWorld,
  files: SampleFiles,
): Promise<void> {
  const kept = [...files.values()]
  await settleFiles(
    db,
    kept.flatMap(({ photos }) => photos.map(({ fileKey }) => fileKey)),
  )
  const rows: SampleCaseRow[] = []
  const photos: SampleCasePhoto[] = []
  const steps: SampleCaseStep[] = []
  for (const person of world.people) {
    const of = files.get(person.n)
    const told = of && storyOf(world, person)
    if (!told) continue
    const story = {
      ...told,
      steps: told.steps.map((step, index) => ({ ...step, after: step.after + wait(person.n, index) })),
    }
    // Nobody works by the full hour.
    const at = Math.max(
      world.now - story.handedInAgo - world.dice.between(30, 200) * MINUTE,
      person.activatedAt! + HOUR,
    )
    rows.push(rowOf(world, person, of, story, at))
    photos.push(...photosOf(of, story, at))
    steps.push(...stepsOf(world, of.id, person, story, at))
    noteCase(world, of.id, person, story, at)
    const approval = story.steps.find(({ to }) => to === 'approved')
    person.approvedAt = approval ? at + approval.after : null
  }
  await insertSampleCaseRows(db, { rows, photos, steps })
  for (const row of await listSampleCases(
    db,
    rows.map(({ id }) => id),
  ))
    await saveFingerprints(db, keys, row)
}

const wait = (n: number, index: number): number => ((n * 437 + index * 701) % 1500) * SECOND

/** Whoever buys was approved within days of the sign-up. */
function storyOf({ dice, now }: SampleWorld, { n, activatedAt }: SamplePerson): SampleStory | undefined {
  if (n <= applicantCount) return sampleStories[n - 1]
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

function rowOf(
  world: SampleWorld,
  person: SamplePerson,
  kept: Kept,
  story: SampleStory,
  at: number,
): SampleCaseRow {
  const { finance2 } = world.operators
  const identity = sampleIdentity(person.n)
  const last = story.steps.at(-1)
  const answered = story.steps.findLast(({ to }) => to === 'submitted')
  const decision = story.steps.findLast(({ to }) => isDecision(to))
  const isDecided = decision !== undefined && decision.after > (answered?.after ?? -1)
  const after = (wait: number | undefined) => (wait === undefined ? null : new Date(at + wait))
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
    round: answered ? 2 : 1,
    photo_count: kept.photos.length,
    sealed_data_key: kept.sealedDataKey,
    created_at: new Date(at),
    updated_at: new Date(at + (last?.after ?? 0)),
    decided_at: isDecided ? after(decision.after) : null,
    decided_by: isDecided ? whoDid(world, person, decision.by) : null,
    ...(story.isTaken && { assignee_id: finance2, assigned_at: after(last?.after) }),
    ...(story.isFinal && { is_final: true }),
    ...(story.finalProposedAfter !== undefined && {
      final_proposed_by: finance2,
      final_proposed_at: after(story.finalProposedAfter),
      final_proposed_reason: story.finalReason ?? '',
    }),
  }
}

const photosOf = (kept: Kept, story: SampleStory, at: number): SampleCasePhoto[] =>
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

function stepsOf(
  world: SampleWorld,
  id: string,
  person: SamplePerson,
  { steps }: SampleStory,
  at: number,
): SampleCaseStep[] {
  return steps.map((step, index) => ({
    application_id: id,
    from_status: steps[index - 1]?.to ?? 'submitted',
    to_status: step.to,
    reason: step.reason ?? '',
    by_member_id: whoDid(world, person, step.by),
    at: new Date(at + step.after),
  }))
}

/** What the audit log and the outbox say of it: whoever decides has read the case and looked at each document. */
function noteCase(
  world: SampleWorld,
  id: string,
  person: SamplePerson,
  story: SampleStory,
  at: number,
): void {
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
  ) => world.audit.push({ at: when, actorId, action, subjectKind: 'kyc', subjectId: id, detail })
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
  const round = story.steps.some(({ to }) => to === 'submitted') ? 2 : 1
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
