import type { Language } from '#contract/platform/fields.ts'
import { pathTo } from '../../kernel/routes/routes.ts'

/** The secret is in the URL fragment, which browsers never send, so no log and no other site can see it. */
export const phoneAddress = (link: string, language: Language): string =>
  new URL(`${pathTo('kyc.phone')}?language=${language}#${link}`, location.origin).href

/** Returns the secret in the fragment of a URL, if there is one. */
export const linkIn = (hash: string): string | null => /^#([\w-]{43})$/.exec(hash)?.[1] ?? null
