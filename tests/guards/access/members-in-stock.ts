import type { MemberChange } from '#api/people/members/member.queries.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { storeMembers, type StoredMember } from '#tests/stored-members.ts'
import type { Role } from './permissions.ts'

/** What a member in the role can do; other roles have no rights. */
export const rightsOf: Partial<Record<Role, MemberChange>> = {
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

/** Small enough that no stored member is kept until its step-up authentication has expired. */
const batch = 25
const stocks = new WeakMap<TestApi, Map<string, StoredMember[]>>()

/**
 * Like `aSignedInMember`, but from a stock that is inserted in batches. The matrix needs thousands of members, and ten
 * queries for each took most of its time.
 */
export async function aStoredMember(started: TestApi, rights: MemberChange = {}): Promise<StoredMember> {
  const stock = stocks.get(started) ?? new Map<string, StoredMember[]>()
  stocks.set(started, stock)
  const kind = JSON.stringify(rights)
  const ready = stock.get(kind)?.length
    ? stock.get(kind)!
    : await storeMembers(
        started,
        Array.from({ length: batch }, () => rights),
      )
  stock.set(kind, ready)
  return ready.pop()!
}
