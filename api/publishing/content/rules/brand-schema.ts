import { z } from 'zod'
import { address, bilingualLine, inFurther, kebab, line, named } from './entry-parts.ts'
import { isLegalVersion } from './legal-version.ts'

/** A date, with a number from the second version of a day on. */
const legalVersion = z
  .string()
  .max(14)
  .refine(isLegalVersion, 'must be a date such as 2026-11-22, or 2026-11-22.2')

/** Human-readable part of the chain's addresses, before the Bech32 separator. */
const prefix = z.string().regex(/^[a-z0-9]{1,20}$/, 'must be lowercase letters and digits')
const versionByte = z.int().min(0).max(255)

/**
 * The format of the coin's addresses. `bitcoin`: Base58Check with a version byte, and Bech32 witnesses with a prefix.
 * `bech32`: any Bech32 data with that prefix. `ethereum`: like addresses of that chain, for tokens on a similar one.
 * `other`: only the prefix is checked.
 */
const chain = z
  .strictObject({
    format: z.enum(['bitcoin', 'bech32', 'ethereum', 'other']).default('bitcoin'),
    prefix: prefix.optional(),
    versions: z.array(versionByte).default([]),
    testPrefixes: z.array(prefix).default([]),
    testVersions: z.array(versionByte).default([]),
    /** What members are told that an address starts with. */
    begins: z
      .array(z.string().regex(/^[!-~]{1,20}$/, 'must be the characters that an address begins with'))
      .max(6)
      .default([]),
  })
  .refine(({ format, prefix: one }) => format !== 'bech32' || one !== undefined, {
    path: ['prefix'],
    message: 'is required if the format is bech32',
  })

const place = z.array(line).max(24)

/** Pages show whichever optional parts exist. */
export const brand = z.strictObject({
  name: line,
  ticker: z.string().regex(/^[A-Za-z0-9]{1,12}$/, 'must be one to twelve letters and digits'),
  tagline: bilingualLine,
  legalLine: bilingualLine,
  email: z.email('email').max(254),
  phone: line.optional(),
  address: z.strictObject({ en: place, cn: place, ...inFurther(place) }),
  links: z.strictObject({
    newsletter: address.optional(),
    blog: address.optional(),
    mining: address.optional(),
    exchange: address.optional(),
    explorer: address.optional(),
    testExplorer: address.optional(),
    downloads: address.optional(),
    wallet: z.strictObject({
      ios: address.optional(),
      android: address.optional(),
      /** Replaces the store link in Chinese, because the store is not available everywhere. */
      androidCn: address.optional(),
    }),
  }),
  /** By network name, for example `github` or `discord`. */
  social: named(address),
  documents: z.strictObject({
    brochure: kebab.optional(),
    whitePaper: kebab.optional(),
    ambassadorEbook: kebab.optional(),
    /** Titles of documents offered beside the white paper. */
    others: z.array(kebab).max(24).optional(),
  }),
  chain,
  /** Dates of the current versions of the legal texts; members are asked to accept a new one. */
  legal: z.strictObject({ terms: legalVersion, privacy: legalVersion }),
  storageKey: line,
})
