import type { Tx } from '../../../platform/db/database.ts'
import type { Services } from '../../../platform/services.ts'
import { whenUsed } from '../../../platform/when-used.ts'
import { claimSlug, claimSlugsOfContent } from './ambassador.queries.ts'

const anyAscii = whenUsed((require) => require('any-ascii') as typeof import('any-ascii'))
const lengthMax = 60

/**
 * Converts a public name to part of an address: Latin letters and digits, with hyphens between words; empty if the name
 * has none.
 */
const readableSlug = (name: string): string =>
  anyAscii()
    .default(name.normalize('NFKC'))
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, lengthMax)
    .replaceAll(/^-+|-+$/g, '')

type Needed = Pick<Services, 'content' | 'keys'>

/** Returns the keyed hash of a slug, which reveals nothing about people who were erased. */
export const slugHash = (keys: Needed['keys'], slug: string): string =>
  keys.fingerprint(Buffer.from(`ambassador slug ${slug}`))

/**
 * Reserves the addresses of ambassadors in content/, even after their entry is gone: they must never belong to another
 * person.
 */
export async function reserveSlugsOfContent({ db, content, keys }: Needed & { db: Tx }): Promise<void> {
  const entries = content.facts('facts/ambassadors.json') as readonly { id: string }[]
  await claimSlugsOfContent(
    db,
    entries.map(({ id }) => slugHash(keys, id)),
  )
}

/**
 * Assigns the slug of the name or, if someone else ever had it, `name-2`, `name-3`…; a number if the name has no
 * readable form.
 */
export async function assignSlug(db: Tx, { content, keys }: Needed, name: string): Promise<string> {
  await reserveSlugsOfContent({ db, content, keys })
  const base = readableSlug(name) || 'ambassador'
  for (let number = base === 'ambassador' ? 1 : 0; ; number += 1) {
    const slug = number === 0 ? base : number === 1 && base !== 'ambassador' ? '' : `${base}-${number}`
    if (slug !== '' && (await claimSlug(db, slugHash(keys, slug)))) return slug
  }
}
