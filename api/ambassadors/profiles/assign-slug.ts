import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { whenUsed } from '../../when-used.ts'
import { takeSlug, takeSlugsOfContent } from './slug.queries.ts'

const anyAscii = whenUsed((require) => require('any-ascii') as typeof import('any-ascii'))
const lengthMax = 60

/** The public name as part of an address: Latin letters and digits with dashes between words; empty where it has none. */
export const readableSlug = (name: string): string =>
  anyAscii()
    .default(name.normalize('NFKC'))
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, lengthMax)
    .replaceAll(/^-+|-+$/g, '')

type Needed = Pick<Services, 'content' | 'keys'>

/** Under which an address is remembered: it tells nobody who was erased. */
export const slugHash = (keys: Needed['keys'], slug: string): string =>
  keys.fingerprint(Buffer.from(`ambassador slug ${slug}`))

/** Who stood in content/ once keeps the address, also after the entry is gone: it is never another person’s. */
export async function keepSlugsOfContent({ db, content, keys }: Needed & { db: Tx }): Promise<void> {
  const entries = content.facts('facts/ambassadors.json') as readonly { id: string }[]
  await takeSlugsOfContent(
    db,
    entries.map(({ id }) => slugHash(keys, id)),
  )
}

/** The name’s slug or, where nobody else ever had one of these, `name-2`, `name-3`…; without a readable name a number. */
export async function giveSlug(db: Tx, { content, keys }: Needed, name: string): Promise<string> {
  await keepSlugsOfContent({ db, content, keys })
  const base = readableSlug(name) || 'ambassador'
  for (let number = base === 'ambassador' ? 1 : 0; ; number += 1) {
    const slug = number === 0 ? base : number === 1 && base !== 'ambassador' ? '' : `${base}-${number}`
    if (slug !== '' && (await takeSlug(db, slugHash(keys, slug)))) return slug
  }
}
