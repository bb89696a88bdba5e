import { randomUUID } from 'node:crypto'
import type { Tx } from '#api/platform/db/database.ts'
import type { OperatorName } from './world.ts'
import { insertSampleMemberRows } from './member-rows.ts'

type Level = {
  name: Exclude<OperatorName, 'admin'>
  displayName: string
  title: string
  access: string
  rights: Rights
}
type Rights = Partial<Record<'manage_news' | 'manage_employee' | 'manage_finance' | 'manage_coins', number>>

/**
 * One account for each level of each area. `access` is printed at the first start, in a table that fits into 80
 * columns.
 */
export const sampleLevels: readonly Level[] = [
  {
    name: 'news1',
    displayName: 'Sample news 1',
    title: 'news 1',
    access: 'view posts, content',
    rights: { manage_news: 1 },
  },
  {
    name: 'news2',
    // Readers see this name on the posts.
    displayName: 'News desk',
    title: 'news 2',
    access: 'publish posts, content',
    rights: { manage_news: 2 },
  },
  {
    name: 'employee1',
    displayName: 'Sample employee 1',
    title: 'employee 1',
    access: 'view members, emails',
    rights: { manage_employee: 1 },
  },
  {
    name: 'employee2',
    displayName: 'Sample employee 2',
    title: 'employee 2',
    access: 'manage members, emails',
    rights: { manage_employee: 2 },
  },
  {
    name: 'finance1',
    displayName: 'Sample finance 1',
    title: 'finance 1',
    access: 'view orders, cases',
    rights: { manage_finance: 1 },
  },
  {
    name: 'finance2',
    displayName: 'Sample finance 2',
    title: 'finance 2',
    access: 'process orders, cases',
    rights: { manage_finance: 2 },
  },
  {
    name: 'coins1',
    displayName: 'Sample coins 1',
    title: 'coins 1',
    access: 'view sale settings',
    rights: { manage_coins: 1 },
  },
  {
    name: 'coins2',
    displayName: 'Sample coins 2',
    title: 'coins 2',
    access: 'change sale settings',
    rights: { manage_coins: 2 },
  },
]

/** Inserts them and returns their IDs. */
export async function insertSampleOperators(
  db: Tx,
  account: { domain: string; passwordHash: string; since: Date },
): Promise<Record<Level['name'], string>> {
  const rows = sampleLevels.map(({ name, displayName, rights }) => ({
    id: randomUUID(),
    email: `${name}@${account.domain}`,
    display_name: displayName,
    active: true,
    password_hash: account.passwordHash,
    password_length_ok_for_staff: true,
    created_at: account.since,
    updated_at: account.since,
    activated_at: account.since,
    address_proved_at: account.since,
    ...rights,
  }))
  await insertSampleMemberRows(db, rows)
  return Object.fromEntries(sampleLevels.map(({ name }, index) => [name, rows[index]!.id])) as Record<
    Level['name'],
    string
  >
}
