import { randomUUID } from 'node:crypto'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { invitationDays } from '#contract/people/staff-invitations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { insertSampleMemberRows } from './member-rows.ts'
import type { SampleWorld } from './world.ts'

const life = invitationDays * DAY

/** Colleagues who have not joined yet. Nobody was emailed. */
const invited = [
  { name: 'new-editor', agoMs: 5 * HOUR, rights: { manage_news: 2 } },
  { name: 'second-admin', agoMs: 2 * DAY, rights: { is_write_access_admin: true } },
  { name: 'help-desk', agoMs: 12 * DAY, rights: { manage_employee: 1 } },
  { name: 'auditor', agoMs: 20 * DAY, rights: { manage_finance: 1 }, isRevoked: true },
] as const

const noRights = {
  is_write_access_admin: false,
  manage_news: 0,
  manage_employee: 0,
  manage_finance: 0,
  manage_coins: 0,
}

/** Invitations in every state. The accepted one is of a sample operator. */
export async function insertSampleInvitations(
  db: Tx,
  { now, operators }: SampleWorld,
  domain: string,
): Promise<void> {
  const rows = invited.map((each) => ({ ...each, id: randomUUID(), email: `${each.name}@${domain}` }))
  await insertSampleMemberRows(
    db,
    rows.map(({ id, email, agoMs }) => ({ id, email, created_at: new Date(now - agoMs) })),
  )
  const joinedAt = now - 60 * DAY
  const timesOf = (at: number) => ({
    created_at: new Date(at),
    sent_at: new Date(at),
    expires_at: new Date(at + life),
  })
  await db
    .insertInto('staff_invitation')
    .values([
      {
        member_id: operators.news1,
        email: `news1@${domain}`,
        ...noRights,
        manage_news: 1,
        invited_by: operators.admin,
        ...timesOf(joinedAt),
        accepted_at: new Date(joinedAt + 3 * HOUR),
      },
      ...rows.map((row) => ({
        member_id: row.id,
        email: row.email,
        ...noRights,
        ...row.rights,
        invited_by: operators.admin,
        ...timesOf(now - row.agoMs),
        ...('isRevoked' in row && {
          revoked_at: new Date(now - row.agoMs + DAY),
          revoked_by: operators.admin,
        }),
      })),
    ])
    .execute()
}
