import { fourEyesAreas, type FourEyesArea, type FourEyesState } from '#contract/people/four-eyes.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { countApprovers, listApprovers } from '../members/approver.queries.ts'
import { getMemberById, listActiveAdmins } from '../members/member.queries.ts'
import { rightsOf } from '../members/rights.ts'
import type { Services } from '../../platform/services.ts'
import { healthLink } from '../../platform/site-links.ts'
import { listKnownFourEyes, setKnownFourEyes } from './four-eyes.queries.ts'
import { approverRightOf } from './read-policy.ts'

type Needed = Pick<Services, 'config' | 'keys'>

export async function readFourEyes(db: Tx, config: Services['config']): Promise<FourEyesState[]> {
  const { twoPersonsFrom, isSaleFourEyesRequired, contentFourEyes, isFourEyesRequired } = config
  const settings: Readonly<Record<FourEyesArea, boolean | undefined>> = {
    orders: twoPersonsFrom === undefined ? undefined : twoPersonsFrom !== null,
    sale: isSaleFourEyesRequired,
    content: contentFourEyes && contentFourEyes.size > 0,
    identity: isFourEyesRequired,
  }
  const states: FourEyesState[] = []
  for (const area of fourEyesAreas) {
    const approvers = await countApprovers(db, config, approverRightOf[area])
    const setting = settings[area]
    states.push({
      area,
      isOn: setting ?? approvers >= 2,
      cause: setting === undefined ? 'staff' : 'setting',
      approvers,
    })
  }
  return states
}

/**
 * Compares the current state with the recorded one. If four-eyes approval was turned on or off for an area, the audit
 * log says so; if it was turned off, administrators and the remaining approvers are emailed, so that removing a
 * colleague never disables it silently. So is the colleague who can't approve anymore (`leaverId`): the only
 * administrator could otherwise remove a colleague for a moment and decide alone, with no one else knowing.
 */
export async function recordFourEyes(db: Tx, services: Needed, leaverId?: string): Promise<void> {
  const known = new Map((await listKnownFourEyes(db)).map(({ area, is_on }) => [area, is_on]))
  for (const state of await readFourEyes(db, services.config)) {
    if (known.get(state.area) === state.isOn) continue
    const before = await setKnownFourEyes(db, state.area, state.isOn)
    // The first time, there is nothing to compare with.
    if (before === undefined || before === state.isOn) continue
    await recordAudit(db, {
      actorId: null,
      action: state.isOn ? 'four-eyes-on' : 'four-eyes-off',
      subjectKind: 'four-eyes',
      subjectId: null,
      detail: { area: state.area, cause: state.cause, approvers: state.approvers },
    })
    if (!state.isOn) await emailAbout(db, services, state, leaverId)
  }
}

type Subject = Parameters<typeof rightsOf>[0] & { id: string }

/**
 * Does `work`, which may change whether the member can approve, and compares before and after it: if a check was never
 * known to be on, turning it off would otherwise leave no trace. `member` has the rights of before or after.
 */
export async function notingFourEyes<T>(
  db: Tx,
  services: Needed,
  member: Subject | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!member || !hasAnyStaffRight(rightsOf(member))) return work()
  await recordFourEyes(db, services)
  const result = await work()
  await recordFourEyes(db, services, member.id)
  return result
}

export const recordFourEyesNow = (services: Services): Promise<void> =>
  transaction(services.db, (db) => recordFourEyes(db, services))

async function emailAbout(
  db: Tx,
  { config, keys }: Needed,
  { area }: FourEyesState,
  leaverId: string | undefined,
): Promise<void> {
  const leaver = leaverId === undefined ? undefined : await getMemberById(db, leaverId)
  const readers = new Map(
    [
      ...(await listActiveAdmins(db)),
      ...(await listApprovers(db, config, approverRightOf[area])),
      // An erased account has no email address.
      ...(leaver && !leaver.erased_at ? [leaver] : []),
    ].map((member) => [member.id, member] as const),
  )
  for (const reader of readers.values())
    await sendMail(db, keys, reader, 'four-eyes-off', { link: healthLink(config) })
}
