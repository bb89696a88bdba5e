import anyAscii from 'any-ascii'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { takeSlug } from './ambassador.queries.ts'

const lengthMax = 60

/** The public name as part of an address: Latin letters and digits with dashes between words; empty where it has none. */
export const readableSlug = (name: string): string =>
  anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, lengthMax)
    .replaceAll(/^-+|-+$/g, '')

/** The name’s slug or, where nobody else ever had one of these, `name-2`, `name-3`…; without a readable name a number. */
export async function giveSlug(
  db: Tx,
  { content, keys }: Pick<Services, 'content' | 'keys'>,
  name: string,
): Promise<string> {
  const base = readableSlug(name) || 'ambassador'
  const entries = content.facts('facts/ambassadors.json') as readonly { id: string }[]
  const taken = new Set(entries.map(({ id }) => id))
  for (let number = base === 'ambassador' ? 1 : 0; ; number += 1) {
    const slug = number === 0 ? base : number === 1 && base !== 'ambassador' ? '' : `${base}-${number}`
    if (slug === '' || taken.has(slug)) continue
    if (await takeSlug(db, keys.fingerprint(Buffer.from(`ambassador slug ${slug}`)))) return slug
  }
}
