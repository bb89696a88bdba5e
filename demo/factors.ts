import { Secret } from 'otpauth'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { recoveryStates } from '#contract/people/account-recovery.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { Keys } from '#api/platform/keys.ts'
import type { SampleAudit, SamplePerson, SampleWorld } from './world.ts'
import type { Insertable } from 'kysely'
import type { DB } from '#api/platform/db/rows.ts'

/** Inserts authenticator apps and recovery requests. */
export async function insertSampleFactors(db: Tx, keys: Keys, world: SampleWorld): Promise<void> {
  const holders = world.people.filter(({ hasFactor, activatedAt }) => hasFactor && activatedAt !== null)
  await insertSampleTotps(
    db,
    holders.map((person) => {
      const at = person.activatedAt! + 20 * MINUTE
      noteAudit(world, person, { at, action: 'second-factor-added', actorId: person.id })
      world.mails.push({ at, to: person, kind: 'second-factor-added' })
      const sealedSecret = keys.seal('second factor', person.id, new Secret({ size: 20 }).base32)
      return { memberId: person.id, sealedSecret, at: new Date(at) }
    }),
  )
  const losers = world.people.filter(({ part }) => part === 'lost factor')
  // Members who asked first also joined first.
  const states = (Object.keys(requests) as RecoveryState[]).toSorted(
    (a, b) => requests[b].askedAgo - requests[a].askedAgo,
  )
  await insertSampleLostFactorRows(
    db,
    states.map((state, index) => requestOf(world, losers[index]!, state)),
  )
}

type RecoveryState = (typeof recoveryStates)[number]

/** How long ago members requested recovery, and how long it took staff to verify, approve, and end the requests. */
const requests: Record<
  RecoveryState,
  { askedAgo: number; opened?: number; confirmed?: number; ended?: number }
> = {
  asked: { askedAgo: 26 * HOUR },
  opened: { askedAgo: 3 * DAY, opened: 20 * HOUR },
  confirmed: { askedAgo: 2 * DAY, opened: 22 * HOUR, confirmed: 42 * HOUR },
  done: { askedAgo: 12 * DAY, opened: 5 * HOUR, confirmed: 9 * HOUR, ended: 33 * HOUR },
  stopped: { askedAgo: 9 * DAY, opened: 3 * HOUR, ended: 7 * HOUR },
  declined: { askedAgo: 16 * DAY, opened: 8 * HOUR, ended: 30 * HOUR },
  expired: { askedAgo: 24 * DAY, ended: 14 * DAY },
}

const how = 'Sample: face compared in a video call with the ID card of the approved application.'

function requestOf(world: SampleWorld, person: SamplePerson, state: RecoveryState): SampleLostFactorRow {
  const { employee2, admin } = world.operators
  const { askedAgo, opened, confirmed, ended } = requests[state]
  const asked = world.now - askedAgo - world.dice.between(1, 150) * MINUTE
  const after = (wait: number | undefined) => (wait === undefined ? null : new Date(asked + wait))
  noteAudit(world, person, { at: asked, action: 'lost-factor-asked', actorId: person.id })
  if (opened !== undefined)
    noteAudit(world, person, { at: asked + opened, action: 'lost-factor-opened', actorId: employee2 })
  if (confirmed !== undefined)
    noteAudit(world, person, { at: asked + confirmed, action: 'lost-factor-confirmed', actorId: admin })
  if (ended !== undefined && state === 'declined')
    noteAudit(world, person, { at: asked + ended, action: 'lost-factor-declined', actorId: employee2 })
  if (ended !== undefined && state === 'stopped')
    noteAudit(world, person, { at: asked + ended, action: 'lost-factor-stopped', actorId: person.id })
  if (ended !== undefined && state === 'done')
    noteAudit(world, person, { at: asked + ended, action: 'lost-factor-done', actorId: null })
  return {
    member_id: person.id,
    state,
    asked_at: new Date(asked),
    opened_at: after(opened),
    opened_by: opened === undefined ? null : employee2,
    opened_how: opened === undefined ? '' : how,
    confirmed_at: after(confirmed),
    confirmed_by: confirmed === undefined ? null : admin,
    takes_effect_at: confirmed === undefined ? null : new Date(asked + confirmed + DAY),
    ended_at: after(ended),
  }
}

const noteAudit = (
  world: SampleWorld,
  person: SamplePerson,
  entry: Pick<SampleAudit, 'at' | 'action' | 'actorId'>,
): void => void world.audit.push({ ...entry, subjectKind: 'member', subjectId: person.id })

async function insertSampleTotps(
  db: Tx,
  factors: readonly { memberId: string; sealedSecret: Buffer; at: Date }[],
): Promise<void> {
  await db
    .insertInto('totp')
    .values(
      factors.map(({ memberId, sealedSecret, at }) => ({
        member_id: memberId,
        sealed_secret: sealedSecret,
        created_at: at,
        confirmed_at: at,
      })),
    )
    .execute()
}

type SampleLostFactorRow = Insertable<DB['lost_factor']>

async function insertSampleLostFactorRows(db: Tx, rows: readonly SampleLostFactorRow[]): Promise<void> {
  await db
    .insertInto('lost_factor')
    .values([...rows])
    .execute()
}
