import type { MemberChange } from '#api/members/member.queries.ts'
import { updateMemberRow } from '#api/members/member.queries.ts'
import type { CallOptions, TestApi } from '#tests/setup/start-api.ts'
import type { Role } from './permissions.ts'
import { aStoredMember, type StoredMember } from './members-in-stock.ts'

const rightsOf: Partial<Record<Role, MemberChange>> = {
  news1: { manage_news: 1 },
  news2: { manage_news: 2 },
  employee1: { manage_employee: 1 },
  employee2: { manage_employee: 2 },
  finance1: { manage_finance: 1 },
  finance2: { manage_finance: 2 },
  coins1: { manage_coins: 1 },
  coins2: { manage_coins: 2 },
  admin: { is_write_access_admin: true },
}

/** A caller in the role, with their credentials. A stranger is a member too, but sends no credentials. */
export async function anActor(
  started: TestApi,
  role: Role,
): Promise<{ member: StoredMember; carried: CallOptions }> {
  const { db } = started.services
  const member = await aStoredMember(started, rightsOf[role])
  if (role === 'expired') {
    await db.deleteFrom('session').where('member_id', '=', member.id).execute()
  }
  if (role === 'inactive') await updateMemberRow(db, member.id, { active: false })
  const carried: CallOptions = {
    ip: member.ip,
    token: member.token,
    cookies: member.cookies,
    headers: { 'x-xsrf-token': member.cookies['XSRF-TOKEN']! },
  }
  return { member, carried: role === 'stranger' ? { ip: member.ip } : carried }
}
