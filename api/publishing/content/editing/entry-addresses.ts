import { slugHash } from '../../../people/ambassadors/profiles/assign-slug.ts'
import {
  listSlugsOfPeople,
  claimSlugsOfContent,
} from '../../../people/ambassadors/profiles/ambassador.queries.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Keys } from '../../../platform/keys.ts'
import { isRecord } from '../../../platform/is-record.ts'
import type { Found } from '../rules/problem.ts'
import { baseFiles, type ItemValue } from './content-item.ts'
import { publishedValue, type Published } from './site-state.ts'

/** Each entry has a page at the address of its ID, next to the pages of ambassadors who joined. */
export const ambassadorEntries = 'facts/ambassadors.json'

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
  )

/** New entries with an address that somebody who joined has, or once had. */
export async function listTakenAddresses(
  db: Tx,
  keys: Keys,
  state: Published,
  values: ReadonlyMap<string, ItemValue>,
): Promise<Found[]> {
  if (!values.has(ambassadorEntries)) return []
  const before = new Set(idsOf(publishedValue(baseFiles(), state, ambassadorEntries)))
  const added = idsOf(values.get(ambassadorEntries)).filter((id) => !before.has(id))
  const taken = await ofPersons(db, keys, added)
  return taken.map((id) => ({
    file: ambassadorEntries,
    place: [id, 'id'].join('.'),
    code: 'address_taken',
    values: { id },
  }))
}

/**
 * Reserves these addresses permanently, even after an entry is deleted. Returns those that an ambassador who
 * joined has.
 */
export async function claimEntryAddresses(db: Tx, keys: Keys, value: ItemValue): Promise<string[]> {
  const ids = idsOf(value)
  await claimSlugsOfContent(
    db,
    ids.map((id) => slugHash(keys, id)),
  )
  return ofPersons(db, keys, ids)
}

async function ofPersons(db: Tx, keys: Keys, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const hashes = new Map(ids.map((id) => [slugHash(keys, id), id]))
  return (await listSlugsOfPeople(db, [...hashes.keys()])).map((hash) => hashes.get(hash)!)
}
