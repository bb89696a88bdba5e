import { randomUUID } from 'node:crypto'
import type { Tx } from '../db/database.ts'
import type { OperatorName } from '../sample-world.ts'
import { insertSampleMemberRows } from './sample-member.queries.ts'

type Level = {
  name: Exclude<OperatorName, 'admin'>
  displayName: string
  title: string
  may: string
  rights: Rights
}
type Rights = Partial<Record<'manage_news' | 'manage_employee' | 'manage_finance' | 'manage_coins', number>>

/** One for each level of each area. `may` is what a start prints of it. */
export const sampleLevels: readonly Level[] = [
  {
    name: 'news1',
    displayName: 'Sample news 1',
    title: 'news 1',
    may: 'reads the newsroom',
    rights: { manage_news: 1 },
  },
  {
    name: 'news2',
    displayName: 'Sample news 2',
    title: 'news 2',
    may: 'writes, schedules and publishes posts',
    rights: { manage_news: 2 },
  },
  {
    name: 'employee1',
    displayName: 'Sample employee 1',
    title: 'employee 1',
    may: 'reads members and mails',
    rights: { manage_employee: 1 },
  },
  {
    name: 'employee2',
    displayName: 'Sample employee 2',
    title: 'employee 2',
    may: 'acts on members, lost factors and mails',
    rights: { manage_employee: 2 },
  },
  {
    name: 'finance1',
    displayName: 'Sample finance 1',
    title: 'finance 1',
    may: 'reads orders and identity cases',
    rights: { manage_finance: 1 },
  },
  {
    name: 'finance2',
    displayName: 'Sample finance 2',
    title: 'finance 2',
    may: 'completes orders and decides identity cases',
    rights: { manage_finance: 2 },
  },
  {
    name: 'coins1',
    displayName: 'Sample coins 1',
    title: 'coins 1',
    may: 'reads the settings of the sale',
    rights: { manage_coins: 1 },
  },
  {
    name: 'coins2',
    displayName: 'Sample coins 2',
    title: 'coins 2',
    may: 'changes the sale and the application record',
    rights: { manage_coins: 2 },
  },
]

/** Inserts them and returns their ids. */
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
