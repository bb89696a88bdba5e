import { z } from 'zod'
import { address, bilingualLine, inFurther, kebab, line } from './entry-parts.ts'
import { isLegalVersion } from './legal-version.ts'

/** A day, or the second version of a day and so on. */
const legalVersion = z
  .string()
  .max(14)
  .refine(isLegalVersion, 'must be a day such as 2026-11-22, or 2026-11-22.2')

export const brand = z.strictObject({
  name: line,
  ticker: z.string().regex(/^[A-Z0-9]{2,8}$/),
  tagline: bilingualLine,
  legalLine: bilingualLine,
  email: z.email('email').max(254),
  phone: line,
  address: z.strictObject({
    en: z.array(line).min(1),
    cn: z.array(line).min(1).max(24),
    ...inFurther(z.array(line).min(1).max(24)),
  }),
  links: z.strictObject({
    newsletter: address,
    blog: address,
    mining: address,
    exchange: address,
    explorer: address,
    testExplorer: address,
    downloads: address,
    wallet: z.strictObject({ ios: address, android: address, androidCn: address }),
  }),
  social: z.strictObject({
    x: address,
    github: address,
    telegram: address,
    wechat: address,
    youtube: address,
    linkedin: address,
    weibo: address,
  }),
  documents: z.strictObject({ brochure: kebab, whitePaper: kebab, ambassadorEbook: kebab }),
  /** The format of the coin's addresses: the prefix of Bech32 and the version bytes of Base58Check. */
  chain: z.strictObject({
    prefix: z.string().regex(/^[a-z]{2,10}$/),
    versions: z.array(z.int().min(0).max(255)),
    testPrefixes: z.array(z.string().regex(/^[a-z]{2,10}$/)),
    testVersions: z.array(z.int().min(0).max(255)),
  }),
  /** The dates that the current versions of the legal texts carry; members are asked to accept a new one. */
  legal: z.strictObject({ terms: legalVersion, privacy: legalVersion }),
  storageKey: line,
})
