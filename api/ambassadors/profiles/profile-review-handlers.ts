import type { api } from '#contract/api.ts'
import {
  ambassadors,
  type ConsoleAmbassador,
  type ListedAmbassador,
} from '#contract/console-ambassador-profiles.ts'
import { completeLanguages } from '#contract/languages.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { announceChange } from '../../db/changes.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { abandonFiles } from '../../pending-files/pending-file.queries.ts'
import { Refused } from '../../refused.ts'
import { serveResource } from '../../resource/serve-resource.ts'
import { ambassadorLink, ambassadorPageLink } from '../../site-links.ts'
import { readResultsForBoard } from '../results/read-results.ts'
import { keysOfPicture } from './ambassador-picture.ts'
import {
  findAmbassador,
  findListed,
  listAnyAmbassadors,
  lockAmbassador,
  setStanding,
  type ListedRow,
  type LockedAmbassador,
} from './ambassador.queries.ts'
import { assignSlug } from './assign-slug.ts'
import { standingOf } from './own-ambassador.ts'
import { listOrder, lockOrder, writeOrder } from './page-order.queries.ts'
import { presentVersion } from './present-profile.ts'
import { approveProfile, findApproved, findInWork, listPictures, returnProfile } from './profile.queries.ts'
import { missingIn } from './save-profile.ts'
import { setSlug } from './slug.queries.ts'

const presentListed = (row: ListedRow): ListedAmbassador => ({
  id: row.id,
  name: { en: row.name_en, cn: row.name_cn },
  slug: row.slug,
  standing: row.standing,
  since: row.since.toISOString(),
  place: row.place,
  waitsSince: row.submitted_at?.toISOString() ?? null,
  // Ambassadors see completed weeks and no flags, and so do staff for their own ambassadorship.
  activations: row.is_own ? null : row.activations,
  identities: row.is_own ? null : row.identities,
  flagged: row.is_own ? null : row.flagged,
})

export const { list: listConsoleAmbassadors, get: getConsoleAmbassador } = serveResource(ambassadors, {
  read: ({ db, caller }, filters, page) => listAnyAmbassadors(db, caller.memberId, filters, page),
  present: (_, rows) => rows.map(presentListed),
  detail: (context, id) => present(id, context),
})

async function present(
  id: string,
  { db, files, caller }: Pick<MemberContext, 'db' | 'files' | 'caller'>,
): Promise<ConsoleAmbassador> {
  const row = await findAmbassador(db, id, caller.memberId)
  const listed = await findListed(db, id, caller.memberId)
  if (!row || !listed) throw new Refused('not_found')
  const [approved, inWork] = [await findApproved(db, id), await findInWork(db, id)]
  return {
    ...presentListed(listed),
    email: row.address ?? '',
    fullName: row.full_name,
    memberId: row.member_id,
    applicationId: row.application_id,
    code: row.code,
    reason: row.reason,
    isOwn: row.is_own,
    approved: approved ? await presentVersion(files, approved) : null,
    // Only its author can see a draft.
    submitted: inWork?.state === 'submitted' ? await presentVersion(files, inWork) : null,
    placeMax: (await listOrder(db)).length,
    results: row.is_own ? null : await readResultsForBoard(db, id),
  }
}

/** Locks an ambassador other than the caller, because no one can decide about themselves. */
async function lockOther(db: Tx, id: string, { caller }: Pick<MemberContext, 'caller'>) {
  const row = await lockAmbassador(db, id, caller.memberId)
  if (!row) throw new Refused('not_found')
  if (row.is_own) throw new Refused('forbidden')
  return row
}

/** Returns the submitted profile, if it is still the version that was read. */
async function requireSubmitted(db: Tx, id: string, basedOn: string) {
  const submitted = await findInWork(db, id)
  if (submitted?.state !== 'submitted' || submitted.updated_at.toISOString() !== basedOn)
    throw new Refused('conflict')
  return submitted
}

export const approveAmbassadorProfile: Handler<typeof api.approveAmbassadorProfile> = async (
  { params, body },
  context,
) => {
  const fields = completeLanguages.flatMap((language) => missingIn(language, body[language]))
  if (fields.length > 0) throw new Refused('validation_failed', { fields })
  await transaction(context.db, async (db) => {
    const { keys, config, caller } = context
    const order = await lockOrder(db)
    const row = await lockOther(db, params.id, context)
    if (standingOf(row) !== (body.from ?? 'active')) throw new Refused('conflict')
    const submitted = await requireSubmitted(db, row.id, body.basedOn)
    const before = await listPictures(db, row.id)
    await approveProfile(db, submitted, { ...submitted, en: body.en, cn: body.cn }, caller.memberId)
    await abandonFiles(db, before.filter((name) => name !== submitted.picture).flatMap(keysOfPicture))
    const slug = row.slug ?? (await assignSlug(db, context, body.en.name))
    if (row.slug === null) await setSlug(db, row.id, slug)
    // Approving publishes: a profile that was hidden or had ended becomes visible again.
    if (row.hidden_at) await setStanding(db, row.id, 'active', '')
    if (!order.includes(row.id)) await writeOrder(db, [...order, row.id])
    await announceChange(db, 'ambassadors')
    await note(db, context, row.id, 'ambassador-profile-approved')
    await sendMail(db, keys, readerOf(row), 'ambassador-profile-approved', {
      link: ambassadorPageLink(config, slug),
    })
  })
  return present(params.id, context)
}

export const returnAmbassadorProfile: Handler<typeof api.returnAmbassadorProfile> = async (
  { params, body },
  context,
) => {
  await transaction(context.db, async (db) => {
    const { keys, config, caller } = context
    const row = await lockOther(db, params.id, context)
    const submitted = await requireSubmitted(db, row.id, body.basedOn)
    await returnProfile(db, submitted.id, body.reason, caller.memberId)
    await note(db, context, row.id, 'ambassador-profile-returned')
    await sendMail(db, keys, readerOf(row), 'ambassador-profile-returned', {
      reason: body.reason,
      link: ambassadorLink(config),
    })
  })
  return present(params.id, context)
}

export const setAmbassadorOrder: Handler<typeof api.setAmbassadorOrder> = async (
  { params, body },
  context,
) => {
  await transaction(context.db, async (db) => {
    const order = await lockOrder(db)
    const row = await lockOther(db, params.id, context)
    if (!order.includes(row.id)) throw new Refused('conflict')
    const others = order.filter((id) => id !== row.id)
    await writeOrder(db, others.toSpliced(body.place - 1, 0, row.id))
    await announceChange(db, 'ambassadors')
    await note(db, context, row.id, 'ambassador-placed')
  })
  return present(params.id, context)
}

const mailOf = { active: 'ambassador-shown', hidden: 'ambassador-hidden', ended: 'ambassador-ended' } as const

export const setAmbassadorStatus: Handler<typeof api.setAmbassadorStatus> = async (
  { params, body },
  context,
) => {
  await transaction(context.db, async (db) => {
    const { keys } = context
    const row = await lockOther(db, params.id, context)
    // A former ambassador only becomes active again through another application. Without a public page, there is
    // nothing to hide.
    const isImpossible = row.ended_at !== null || (body.to === 'hidden' && row.slug === null)
    if (standingOf(row) !== body.from || body.from === body.to || isImpossible) throw new Refused('conflict')
    await setStanding(db, row.id, body.to, body.reason)
    await announceChange(db, 'ambassadors')
    await note(db, context, row.id, mailOf[body.to])
    const kind = body.to === 'ended' && row.slug === null ? 'ambassador-ended-unlisted' : mailOf[body.to]
    await sendMail(db, keys, readerOf(row), kind, { reason: body.reason })
  })
  return present(params.id, context)
}

const readerOf = (row: LockedAmbassador) => ({ email: row.address!, language: row.mail_language })

type BoardAction =
  | 'ambassador-profile-approved'
  | 'ambassador-profile-returned'
  | 'ambassador-placed'
  | (typeof mailOf)[keyof typeof mailOf]

const note = (db: Tx, { caller }: Pick<MemberContext, 'caller'>, subjectId: string, action: BoardAction) =>
  recordAudit(db, { actorId: caller.memberId, action, subjectKind: 'ambassador', subjectId })
