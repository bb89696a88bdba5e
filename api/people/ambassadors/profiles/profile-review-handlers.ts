import type { api } from '#contract/api.ts'
import {
  ambassadors,
  consoleAmbassador,
  listedAmbassador,
  type ConsoleAmbassador,
  type ListedAmbassador,
} from '#contract/people/console-ambassador-profiles.ts'
import { completeLanguages } from '#contract/platform/languages.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { project } from '../../../platform/db/project.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { abandonFiles } from '../../../platform/pending-files/pending-file.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { ambassadorLink, ambassadorPageLink } from '../../../platform/site-links.ts'
import { readResultsForBoard } from '../results/read-results.ts'
import { keysOfPicture } from './ambassador-picture.ts'
import {
  findListed,
  listAnyAmbassadors,
  listOrder,
  lockAmbassador,
  lockOrder,
  setSlug,
  setStanding,
  writeOrder,
  type ListedRow,
  type LockedAmbassador,
} from './ambassador.queries.ts'
import { assignSlug } from './assign-slug.ts'
import { missingIn } from './own-ambassador.ts'
import { readVersions, standingOf } from './present-profile.ts'
import { approveProfile, findInWork, listPictures, returnProfile } from './profile.queries.ts'

/** Ambassadors see completed weeks and no flags, and so do staff for their own ambassadorship. */
const noFigures = { activations: null, identities: null, flagged: null }

const presentListed = (row: ListedRow): ListedAmbassador => ({
  ...project(listedAmbassador, row),
  name: { en: row.name_en, cn: row.name_cn },
  ...(row.is_own && noFigures),
})

export const { list: listConsoleAmbassadors, get: getConsoleAmbassador } = serveResource(ambassadors, {
  read: ({ db, caller }, filters, page) => listAnyAmbassadors(db, caller.memberId, filters, page),
  present: (_, rows) => rows.map(presentListed),
  detail: present,
})

async function present(
  { db, files, caller }: Pick<MemberContext, 'db' | 'files' | 'caller'>,
  id: string,
): Promise<ConsoleAmbassador> {
  const row = await findListed(db, id, caller.memberId)
  if (!row) throw new Refused('not_found')
  const { approved, inWork } = await readVersions(files, db, id)
  return {
    ...project(consoleAmbassador, row),
    ...presentListed(row),
    email: row.email ?? '',
    approved,
    // Only its author can see a draft.
    submitted: inWork?.state === 'submitted' ? inWork : null,
    placeMax: (await listOrder(db)).length,
    results: row.is_own ? null : await readResultsForBoard(db, id),
  }
}

const mailOf = { active: 'ambassador-shown', hidden: 'ambassador-hidden', ended: 'ambassador-ended' } as const
type Action =
  | 'ambassador-profile-approved'
  | 'ambassador-profile-returned'
  | 'ambassador-placed'
  | (typeof mailOf)[keyof typeof mailOf]

type Decision = {
  db: Tx
  row: LockedAmbassador
  /** The IDs of the ambassadors on the page, in display order. */
  order: readonly string[]
  /** Records the decision in the audit log. */
  record: (action: Action) => Promise<void>
  /** The ambassador, as recipient of an email. */
  reader: { email: string; language: LockedAmbassador['mail_language'] }
}

/** Decides about an ambassador other than the caller, because no one can decide about themselves. */
async function decide(
  context: MemberContext,
  id: string,
  step: (decision: Decision) => Promise<unknown>,
): Promise<ConsoleAmbassador> {
  const { memberId: actorId } = context.caller
  await transaction(context.db, async (db) => {
    const order = await lockOrder(db)
    const row = await lockAmbassador(db, id, actorId)
    if (!row) throw new Refused('not_found')
    if (row.is_own) throw new Refused('forbidden')
    const record = (action: Action) =>
      recordAudit(db, { actorId, action, subjectKind: 'ambassador', subjectId: id })
    await step({ db, row, order, record, reader: { email: row.address!, language: row.mail_language } })
  })
  return present(context, id)
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
  return decide(context, params.id, async ({ db, row, order, record, reader }) => {
    const { keys, config, caller } = context
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
    await record('ambassador-profile-approved')
    await sendMail(db, keys, reader, 'ambassador-profile-approved', {
      link: ambassadorPageLink(config, slug),
    })
  })
}

export const returnAmbassadorProfile: Handler<typeof api.returnAmbassadorProfile> = (
  { params, body: { basedOn, reason } },
  context,
) =>
  decide(context, params.id, async ({ db, row, record, reader }) => {
    const { keys, config, caller } = context
    const submitted = await requireSubmitted(db, row.id, basedOn)
    await returnProfile(db, submitted.id, reason, caller.memberId)
    await record('ambassador-profile-returned')
    await sendMail(db, keys, reader, 'ambassador-profile-returned', { reason, link: ambassadorLink(config) })
  })

export const setAmbassadorOrder: Handler<typeof api.setAmbassadorOrder> = ({ params, body }, context) =>
  decide(context, params.id, async ({ db, row, order, record }) => {
    if (!order.includes(row.id)) throw new Refused('conflict')
    const others = order.filter((id) => id !== row.id)
    await writeOrder(db, others.toSpliced(body.place - 1, 0, row.id))
    await announceChange(db, 'ambassadors')
    await record('ambassador-placed')
  })

export const setAmbassadorStatus: Handler<typeof api.setAmbassadorStatus> = (
  { params, body: { from, to, reason } },
  context,
) =>
  decide(context, params.id, async ({ db, row, record, reader }) => {
    // A former ambassador only becomes active again through another application. Without a public page, there is
    // nothing to hide.
    const isImpossible = row.ended_at !== null || (to === 'hidden' && row.slug === null)
    if (standingOf(row) !== from || from === to || isImpossible) throw new Refused('conflict')
    await setStanding(db, row.id, to, reason)
    await announceChange(db, 'ambassadors')
    await record(mailOf[to])
    const kind = to === 'ended' && row.slug === null ? 'ambassador-ended-unlisted' : mailOf[to]
    await sendMail(db, context.keys, reader, kind, { reason })
  })
