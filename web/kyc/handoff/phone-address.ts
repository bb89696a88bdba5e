import type { Language } from '#contract/fields.ts'
import { pathTo } from '../../routes/routes.ts'

/** The link stands behind the hash, which browsers send to no server: no log and no other page sees it. */
export const phoneAddress = (link: string, language: Language): string =>
  new URL(`${pathTo('kyc.phone')}?language=${language}#${link}`, location.origin).href

/** The link in the hash of an address, if there is one. */
export const linkIn = (hash: string): string | null => /^#([\w-]{43})$/.exec(hash)?.[1] ?? null
