import type en from '#content/own-data/en.json'
import { findAmbassadorApplicationsByEmail } from '../ambassadors/ambassador.queries.ts'
import { listWholeAutosavesOf } from '../announcements/autosaves/autosave.queries.ts'
import { listAuditOfMember, listAuditOfRecords } from '../audit/record-audit.ts'
import type { MemberContext } from '../http/handler.ts'
import { listKycOfMember, listKycSteps, type KycRow } from '../kyc/kyc.queries.ts'
import { findHandoffOfMember } from '../kyc/handoff/handoff.queries.ts'
import { presentKyc } from '../kyc/present-kyc.ts'
import { listStagedPhotosOf, type StagedPhotoRow } from '../kyc/staged-photo.queries.ts'
import { listMailsTo } from '../mail/mail.queries.ts'
import { findPendingEmail } from '../accounts/email-change.queries.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { presentUser } from '../members/present-user.ts'
import { listOrdersOfMember, listOrderSteps } from '../orders/order.queries.ts'
import { presentOrder } from '../orders/present-order.ts'
import { listPasskeysOfMember } from '../sessions/passkeys/passkey.queries.ts'
import { listSessionsOfMember } from '../sessions/session.queries.ts'
import { listConsentsOfMember } from '../consents/consent.queries.ts'
import { findPhrase } from '../mail/anti-phishing-phrase.queries.ts'

/** Every part has words that explain it. */
export type PartName = keyof (typeof en)['files']

export type Source = {
  context: MemberContext
  member: MemberRow
  /** How the pictures of an application are shown: inside of it, or by the names of their files. */
  picturesOf: (row: KycRow, n: number) => Promise<object>
  /** How a photo is shown that waits for its application. */
  waitingPictureOf: (row: StagedPhotoRow, n: number) => Promise<object>
}

type Part = { isList: boolean; read: (source: Source) => AsyncIterable<unknown> }

const pageSize = 100

/** Everything that is kept about a member but secrets and the private notes of staff, read page by page. */
export const ownDataParts: Record<PartName, Part> = {
  profile: { isList: false, read: readProfile },
  sessions: { isList: true, read: readSessions },
  passkeys: { isList: true, read: readPasskeys },
  orders: { isList: true, read: readOrders },
  identityApplications: { isList: true, read: readIdentityApplications },
  waitingPhotos: { isList: true, read: readWaitingPhotos },
  phones: { isList: true, read: readPhones },
  ambassadorApplications: { isList: true, read: readAmbassadorApplications },
  workingCopies: { isList: true, read: readAutosaves },
  consents: { isList: true, read: readConsents },
  mails: { isList: true, read: readMails },
  activity: { isList: true, read: (source) => readAudit(source, listAuditOfMember) },
  views: { isList: true, read: (source) => readAudit(source, listAuditOfRecords) },
}
export const partNames = Object.keys(ownDataParts) as PartName[]

async function* readProfile({ context: { db, keys, caller }, member }: Source) {
  yield {
    ...presentUser(member),
    pendingEmail: (await findPendingEmail(db, member.id)) ?? null,
    language: member.language,
    invitationCode: member.invitation_code,
    hasSecondFactor: caller.hasSecondFactor,
    phrase: (await findPhrase(db, keys, member.id)) ?? null,
  }
}

async function* readSessions({ context: { db }, member }: Source) {
  for (const row of await listSessionsOfMember(db, member.id))
    yield {
      device: row.device,
      place: row.place,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
    }
}

async function* readOrders({ context: { db }, member }: Source) {
  for await (const row of pages((after) => listOrdersOfMember(db, member.id, {}, pageSize, after)))
    yield {
      ...presentOrder(row),
      steps: (await listOrderSteps(db, row.id)).map(({ kind, at }) => ({ kind, at: at.toISOString() })),
    }
}

async function* readPasskeys({ context: { db }, member }: Source) {
  for (const row of await listPasskeysOfMember(db, member.id))
    yield {
      name: row.name,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    }
}

export const readKycRows = ({ context: { db }, member }: Source): AsyncIterable<KycRow> =>
  pages((after) => listKycOfMember(db, member.id, {}, pageSize, after))

async function* readIdentityApplications(source: Source) {
  let n = 0
  for await (const row of readKycRows(source)) {
    n += 1
    const steps = await listKycSteps(source.context.db, row.id)
    yield {
      ...presentKyc(row, false),
      steps: steps.map(({ from_status, to_status, reason, at }) => ({
        from: from_status,
        to: to_status,
        reason,
        at: at.toISOString(),
      })),
      ...(await source.picturesOf(row, n)),
    }
  }
}

async function* readWaitingPhotos({ context: { db }, member, waitingPictureOf }: Source) {
  for (const [index, row] of (await listStagedPhotosOf(db, member.id)).entries())
    yield {
      sentAt: row.created_at.toISOString(),
      byPhone: row.handoff_id !== null,
      ...(await waitingPictureOf(row, index + 1)),
    }
}

async function* readPhones({ context: { db }, member }: Source) {
  const row = await findHandoffOfMember(db, member.id)
  if (row)
    yield {
      device: row.device,
      createdAt: row.created_at.toISOString(),
      openedAt: row.opened_at?.toISOString() ?? null,
      endedAt: row.ended_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
    }
}

async function* readAmbassadorApplications({ context: { db }, member }: Source) {
  for (const row of await findAmbassadorApplicationsByEmail(db, member.email))
    yield {
      fullName: row.full_name,
      city: row.city,
      country: row.country,
      socialMedia: row.social_media,
      description: row.description,
      status: row.status,
      createdAt: row.created_at.toISOString(),
    }
}

async function* readAutosaves({ context: { db }, member }: Source) {
  for (const row of await listWholeAutosavesOf(db, member.id))
    yield {
      title: row.title,
      category: row.category,
      language: row.language,
      content: row.content,
      savedAt: row.saved_at.toISOString(),
    }
}

async function* readConsents({ context: { db }, member }: Source) {
  for (const { document, version, at, place, client } of await listConsentsOfMember(db, member.id))
    yield { document, version, at: at.toISOString(), place, client }
}

async function* readMails({ context: { db }, member }: Source) {
  for (const { kind, state, created_at, sent_at } of await listMailsTo(db, member.email))
    yield { kind, state, createdAt: created_at.toISOString(), sentAt: sent_at?.toISOString() ?? null }
}

/** Staff are told apart by a number and not named: they acted on orders, and have a privacy of their own. */
async function* readAudit(
  { context: { db }, member }: Source,
  list: typeof listAuditOfMember | typeof listAuditOfRecords,
) {
  const staff: string[] = []
  const nameOf = (actorId: string | null): string => {
    if (actorId === null) return 'system'
    if (actorId === member.id) return 'you'
    if (!staff.includes(actorId)) staff.push(actorId)
    return `staff ${staff.indexOf(actorId) + 1}`
  }
  let after: string | undefined
  do {
    const rows = await list(db, member.id, { limit: pageSize, after })
    for (const { at, action, actor_id, subject_kind } of rows)
      yield { at: at.toISOString(), action, on: subject_kind, by: nameOf(actor_id) }
    after = rows.length < pageSize ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}

async function* pages<Row>(
  read: (after: string | undefined) => Promise<{ rows: Row[]; next: string | undefined }>,
): AsyncIterable<Row> {
  let after: string | undefined
  do {
    const page = await read(after)
    yield* page.rows
    after = page.next
  } while (after !== undefined)
}
