import { transaction, type Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import type { Services } from '../services.ts'
import { insertFingerprints, listWithoutFingerprints } from './fingerprint.queries.ts'
import { listKycPhotos } from './kyc-photo.queries.ts'
import type { KycRow } from './kyc.queries.ts'

export type Fingerprint = { kind: 'document' | 'ethAddress' | 'btcAddress' | 'email' | 'name'; hash: string }

/** Letters and digits in lower case, without accents, in whatever order the words stand. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted()
    .join(' ')

/**
 * Keyed hashes of what identifies an applicant. Made when an application comes in: those of a final refusal outlive its
 * documents, so that the same person is recognised when nothing readable is left.
 */
export async function saveFingerprints(db: Tx, keys: Keys, row: KycRow): Promise<void> {
  const said: [Fingerprint['kind'], string][] = [
    ['ethAddress', row.eth_address.toLowerCase()],
    ['btcAddress', row.btc_address],
    ['email', row.email_alias ?? ''],
    ['name', folded(`${row.full_name} ${row.last_name}`)],
  ]
  const photos = await listKycPhotos(db, row.id)
  await insertFingerprints(db, row.id, [
    ...said.flatMap(([kind, value]) =>
      value === '' ? [] : [{ kind, hash: keys.fingerprint(Buffer.from(`${kind} ${value}`)) }],
    ),
    ...photos.flatMap(({ content_hash }) =>
      content_hash === null ? [] : [{ kind: 'document' as const, hash: content_hash }],
    ),
  ])
}

const atOnce = 500

/** For applications from before there were fingerprints. */
export const addMissingFingerprints = ({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<void> =>
  transaction(db, async (db) => {
    for (const row of await listWithoutFingerprints(db, atOnce)) await saveFingerprints(db, keys, row)
  })
