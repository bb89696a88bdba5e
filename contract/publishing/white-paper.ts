import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { language } from '../platform/fields.ts'
import { languages, type Language } from '../platform/languages.ts'

const perLanguage = <Value extends z.ZodMiniType>(value: Value) =>
  z.object(
    Object.fromEntries(languages.map((each) => [each, z.optional(value)])) as Record<
      Language,
      z.ZodMiniOptional<Value>
    >,
  )

const maybe = z.optional(z.string())

/** One file of a white paper version. Its hash is computed from the bytes served at its address. */
const whitePaperFile = z.object({
  language,
  title: z.string(),
  address: z.string(),
  pages: z.number(),
  bytes: z.number(),
  sha256: z.string(),
})
export type WhitePaperFile = z.infer<typeof whitePaperFile>

const version = z.object({
  id: z.string(),
  /** The day of publication, `2036-05-01`. */
  date: z.string(),
  isSample: z.boolean(),
  version: z.string(),
  /** What changed in this version, and why (article 12). */
  words: perLanguage(z.object({ change: z.string() })),
  /** Empty if the version was withdrawn. */
  files: z.array(whitePaperFile),
})
export type WhitePaperVersion = z.infer<typeof version>

export const whitePaper = z.object({
  isSample: z.boolean(),
  issuer: z.object({
    email: z.string(),
    phone: maybe,
    website: maybe,
    lei: maybe,
    words: perLanguage(
      z.object({ name: z.string(), role: z.string(), address: z.array(z.string()), registered: maybe }),
    ),
  }),
  /** If set, the page states that the token may not be exchangeable. */
  isUtility: z.boolean(),
  /** When the competent authority was notified. */
  notifiedOn: maybe,
  /**
   * All versions, newest first. The first one applies, even without a file. Versions dated in the future are left out.
   */
  versions: z.array(version),
  /** Calendar days; 0 if this installation grants no right of withdrawal. */
  withdrawalDays: z.number(),
  timeZone: z.string(),
})
export type WhitePaper = z.infer<typeof whitePaper>

export const readWhitePaper = endpoint('GET', 'white-paper', {
  about:
    'Get the legally required information about the crypto-asset white paper: the issuer, versions with the hashes of their files, and the withdrawal period in days. Null if no white paper is published.',
  access: anyone,
  changesWith: ['content'],
  isRevalidated: true,
  output: z.object({ whitePaper: z.nullable(whitePaper) }),
})

/**
 * Texts whose wording is prescribed by Regulation (EU) 2023/1114, articles 6(3), 6(5), and 7(1), letter (e). Editors
 * cannot change them in any language.
 */
export const statutoryTexts: readonly string[] = [
  'whitePaper.statement.approval',
  'whitePaper.risks.value',
  'whitePaper.risks.transfer',
  'whitePaper.risks.liquid',
  'whitePaper.risks.utility',
  'whitePaper.risks.investor',
  'whitePaper.risks.deposit',
  'whitePaper.marketing.statement',
]
