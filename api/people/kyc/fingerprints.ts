import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { Services } from '../../platform/services.ts'
import {
  findEmailAlias,
  insertFingerprints,
  listFingerprintsToMake,
  markFingerprinted,
} from './fingerprint.queries.ts'
import { listKycPhotos } from './kyc-photo.queries.ts'
import type { KycRow } from './kyc.queries.ts'
import { spellingsOf } from './screening/spellings.ts'

export type Fingerprint = {
  kind: 'document' | 'ethAddress' | 'btcAddress' | 'email' | 'name' | 'nameAndBirth'
  hash: string
}

/** Increase it when the rules below change: readable applications then get new fingerprints. */
const fingerprintVersion = 1

/**
 * Keyed hashes of identifying data. Created when an application is submitted, and again before its data is
 * deleted: those of a final refusal outlive its documents, so that the same person is recognized without any
 * readable data.
 */
export async function saveFingerprints(db: Tx, keys: Keys, row: KycRow): Promise<void> {
  const member = await getMemberById(db, row.member_id)
  const spellings = spellingsOf(`${row.full_name} ${row.last_name}`)
  const said: [Fingerprint['kind'], string | null][] = [
    ['ethAddress', row.eth_address.toLowerCase()],
    ['btcAddress', row.btc_address],
    // The typed address, and the account's verified one.
    ['email', row.email_alias],
    ['email', await findEmailAlias(db, member.email)],
    ...spellings.map((name): [Fingerprint['kind'], string] => ['name', name]),
    ...(row.date_of_birth === '' ? [] : spellings).map((name): [Fingerprint['kind'], string] => [
      'nameAndBirth',
      `${name} ${row.date_of_birth}`,
    ]),
  ]
  const photos = await listKycPhotos(db, row.id)
  await insertFingerprints(db, row.id, [
    ...said.flatMap(([kind, value]) =>
      value ? [{ kind, hash: keys.fingerprint(Buffer.from(`${kind} ${value}`)) }] : [],
    ),
    ...photos.flatMap(({ content_hash }) =>
      content_hash === null ? [] : [{ kind: 'document' as const, hash: content_hash }],
    ),
  ])
  await markFingerprinted(db, row.id, fingerprintVersion)
}

const atOnce = 500

/** For applications older than fingerprints or their current rules. */
export const addMissingFingerprints = ({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<void> =>
  transaction(db, async (db) => {
    for (const row of await listFingerprintsToMake(db, fingerprintVersion, atOnce))
      await saveFingerprints(db, keys, row)
  })
