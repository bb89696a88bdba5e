import { z } from 'zod'
import { currencyLengthMax } from '#contract/money/orders.ts'
import { reasonUses } from '#contract/people/kyc-review.ts'
import { languages } from '#contract/platform/languages.ts'
import { brand } from './brand-schema.ts'
import { colours } from './colours-schema.ts'
import {
  address,
  bilingualLine,
  day,
  isSpecial,
  kebab,
  line,
  list,
  month,
  named,
  photo,
  sample,
  words,
} from './entry-parts.ts'
import { breaks, issue } from './problem.ts'

const milestone = z.strictObject({
  id: kebab,
  date: month,
  state: z.enum(['done', 'current', 'next']),
  ...words({ title: line, text: line }),
})

const stateOrder = ['done', 'current', 'next']

/** Returns the first month of a quarter or year, to compare it with a date of the same precision. */
const firstMonthOf = (date: string): string =>
  date.length === 4
    ? `${date}-01`
    : date.replace(/Q([1-4])/, (_, quarter) => String(Number(quarter) * 3 - 2).padStart(2, '0'))
const lastMonthOf = (date: string): string =>
  date.length === 4
    ? `${date}-12`
    : date.replace(/Q([1-4])/, (_, quarter) => String(Number(quarter) * 3).padStart(2, '0'))

const roadmap = list(milestone).superRefine((milestones, context) => {
  for (const [at, { date, state }] of milestones.entries()) {
    const before = milestones[at - 1]
    if (!before) continue
    if (lastMonthOf(date) < firstMonthOf(before.date)) context.addIssue(issue([at, 'date'], 'before_above'))
    if (stateOrder.indexOf(state) < stateOrder.indexOf(before.state))
      context.addIssue(issue([at, 'state'], 'state_order', { state, before: before.state }))
  }
})

const teamMember = z.strictObject({
  id: kebab,
  note: sample,
  photo,
  special: isSpecial,
  linkedin: address.optional(),
  /** Profiles elsewhere, by network name. */
  links: named(address).optional(),
  ...words({ name: line, title: line, skills: z.array(line).max(24) }),
})

const team = list(z.strictObject({ id: kebab, ...words({ title: line }), members: list(teamMember) }))

/** The project's own ambassadors; those who joined through the program are listed beside them. */
const ambassadors = list(
  z.strictObject({
    id: kebab,
    note: sample,
    photo,
    special: isSpecial,
    profile: address.optional(),
    /** First and last day as an ambassador; former ambassadors stay in the file, so that their page says so. */
    since: day.optional(),
    until: day.optional(),
    ...words({ name: line, location: line }),
  }),
)

const partners = list(
  z.strictObject({
    id: kebab,
    /** Seed of the rosette drawn if there is no photo; defaults to the ID. */
    seed: z.int().min(0).optional(),
    note: sample,
    photo,
    ...words({ name: line, line }),
  }),
)

/** Number of columns that fit on a wide screen. */
const comparedMax = 8

const comparison = z
  .strictObject({
    columns: list(
      z.strictObject({ id: kebab, ...words({ title: line, note: line.optional() }) }),
      0,
      comparedMax,
    ),
    rows: list(
      z.strictObject({ id: kebab, ...words({ label: line, values: z.array(line).max(comparedMax) }) }),
    ),
  })
  .superRefine(({ columns, rows }, context) => {
    for (const [at, row] of rows.entries())
      for (const language of languages.filter((each) => row[each] !== undefined))
        if (row[language].values.length !== columns.length)
          context.addIssue(
            issue(['rows', at, language, 'values'], 'values_for_columns', {
              count: row[language].values.length,
              columns: columns.length,
            }),
          )
  })

const coinFact = z.strictObject({
  id: kebab,
  /** The date of a figure that changes. */
  date: day.optional(),
  ...words({ label: line, value: line, unit: line.optional(), note: line.optional() }),
})

const feature = z.strictObject({ id: kebab, ...words({ title: line, text: line }) })

const question = z.strictObject({
  id: kebab,
  /** The page that the answer links to. */
  page: z.literal('sale').optional(),
  ...words({ question: line, answer: z.array(line).min(1).max(24) }),
})

const faq = z.strictObject({
  main: z.strictObject({
    id: kebab,
    ...words({
      question: line,
      intro: line,
      items: z.array(line).max(24),
      brochureLabel: line.optional(),
    }),
  }),
  questions: list(question),
})

const manual = z.strictObject({
  id: kebab,
  fileTitle: kebab,
  hasChinese: z.boolean(),
  ...words({ title: line, description: line }),
})

/** Lower case, because the member's input is compared in lower case. */
const commonPasswords = z
  .array(
    z
      .string()
      .min(5)
      .regex(/^[^A-Z]+$/),
  )
  .min(100)

const synergy = z
  .strictObject({
    nodes: list(z.strictObject({ id: kebab, ...words({ label: line, text: line }) }), 0, 13),
    edges: z.array(z.strictObject({ from: kebab, to: kebab, ...words({ label: line }) })).max(40),
  })
  .superRefine(({ nodes, edges }, context) => {
    const ids = new Set(nodes.map(({ id }) => id))
    for (const [at, edge] of edges.entries())
      for (const end of ['from', 'to'] as const)
        if (!ids.has(edge[end])) context.addIssue(issue(['edges', at, end], 'no_node', { id: edge[end] }))
  })

/** Standard reasons that officers give applicants. */
const reviewReasons = list(
  z.strictObject({
    id: kebab,
    for: z.array(z.enum(reasonUses)).min(1),
    ...words({ label: line, text: line.max(2000) }),
  }),
  1,
)

const caption = z.strictObject({ start: z.number().min(0), end: z.number(), ...bilingualLine.shape })

const film = z
  .strictObject({
    id: kebab,
    place: z.enum(['hero', 'home', 'ambassador']),
    file: kebab,
    seconds: z.number().positive(),
    ...words({ title: line, description: line }),
    captions: z.array(caption).min(1).optional(),
  })
  .superRefine(({ place, seconds, captions = [] }, context) => {
    if ((place === 'hero') === captions.length > 0)
      context.addIssue({
        code: 'custom',
        path: ['captions'],
        message: place === 'hero' ? 'the hero film has none' : 'missing',
      })
    for (const [at, { start, end }] of captions.entries()) {
      const isInOrder = start >= (captions[at - 1]?.end ?? 0) && end > start && end <= seconds
      if (!isInOrder)
        context.addIssue({
          code: 'custom',
          path: ['captions', at],
          message: `${start} to ${end} s is out of order`,
        })
    }
  })

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

const tag = z.string().refine(isTag, 'must be a BCP 47 language tag, such as es or es-MX')

const entry = z.strictObject({
  name: z.string().trim().min(1).max(40),
  tag,
  locale: tag,
  /** Two letters first, because no page's address starts that way. */
  prefix: z.string().regex(/^$|^\/[a-z]{2}(-[a-z]{2,4})?$/, 'must be a prefix such as /es'),
})

/** The languages of the site, in the order offered. */
const siteLanguages = z
  .record(z.string().regex(/^[a-z]{2,3}$/, 'must be two or three lowercase letters'), entry)
  .superRefine((given, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (Object.keys(given)[0] !== 'en') refuse([], 'English must come first')
    if (!given['cn']) refuse(['cn'], 'Chinese is missing')
    const taken = { tag: new Set<string>(), prefix: new Set<string>() }
    for (const [code, one] of Object.entries(given)) {
      if ((one.prefix === '') !== (code === 'en')) refuse([code, 'prefix'], 'can be empty only for English')
      for (const part of ['tag', 'prefix'] as const) {
        if (taken[part].has(one[part])) refuse([code, part], 'stands twice')
        taken[part].add(one[part])
      }
    }
  })

/** At most one film where a page has room for one. */
const films = list(film).superRefine((entries, context) => {
  for (const place of ['hero', 'ambassador'] as const) {
    const { length } = entries.filter((entry) => entry.place === place)
    if (length > 1)
      context.addIssue({
        code: 'custom',
        message: `has ${length} films with the place "${place}" but can have only 1`,
      })
  }
})

/** ISO 17442: 18 letters and digits, and two check digits. */
const lei = z.string().refine(isLei, breaks('name'))

/** Letters count as numbers from 10 on; the whole number modulo 97 must be 1 (ISO 7064). */
function isLei(text: string): boolean {
  if (!/^[A-Z\d]{18}\d\d$/.test(text)) return false
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** What is public about the token sale. */
const sale = z.strictObject({
  isPublic: z.boolean(),
  isOnHome: z.boolean(),
  isLeftShown: z.boolean(),
  /** Whether the sale page and the home page show the current and the next round. */
  areRoundsShown: z.boolean().default(false),
})

/**
 * Information about the white paper that the law requires (Regulation (EU) 2023/1114, articles 6, 9, and 12). Without
 * versions there is no page.
 */
export const whitePaper = z
  .strictObject({
    note: sample,
    issuer: z.strictObject({
      email: line,
      phone: line.optional(),
      website: address.optional(),
      lei: lei.optional(),
      ...words({
        name: line,
        role: line,
        address: z.array(line).max(8),
        registered: line.optional(),
      }),
    }),
    isUtility: z.boolean(),
    notifiedOn: day.optional(),
    versions: list(
      z.strictObject({
        id: kebab,
        date: day,
        /** First part of the names of its files; each version has its own files, which are kept. */
        document: kebab,
        note: sample,
        version: line.max(40),
        ...words({ change: line }),
      }),
    ),
  })
  .superRefine(({ versions }, context) => {
    for (const [at, { document }] of versions.entries())
      if (versions.findIndex((other) => other.document === document) < at)
        context.addIssue(issue(['versions', at, 'document'], 'used_twice', { id: document }))
  })

/**
 * What one unit of a coin or currency is worth in other currencies, for approximate amounts next to the exact ones.
 * Without entries, no approximate amounts are shown.
 */
const displayRates = list(
  z.strictObject({
    id: kebab,
    unit: z
      .string()
      .max(currencyLengthMax)
      .refine((text) => /^[A-Z][A-Z0-9]*$/.test(text), breaks('unit')),
    currency: z.string().refine((text) => /^[A-Z]{3}$/.test(text), breaks('currency')),
    value: z
      .string()
      .refine((text) => /^\d{1,12}(\.\d{1,12})?$/.test(text) && Number(text) > 0, breaks('rate')),
    date: day,
  }),
).superRefine((rates, context) => {
  for (const [at, { unit, currency }] of rates.entries())
    if (rates.findIndex((other) => other.unit === unit && other.currency === currency) < at)
      context.addIssue(issue([at, 'currency'], 'used_twice', { id: `${unit} ${currency}` }))
})

/** The schema of each data file, by its path under content. */
export const factSchemas = {
  'brand.json': brand,
  'colours.json': colours,
  'languages.json': siteLanguages,
  'facts/roadmap.json': roadmap,
  'facts/team.json': team,
  'facts/ambassadors.json': ambassadors,
  'facts/partners.json': partners,
  'facts/comparison.json': comparison,
  'facts/coin-facts.json': list(coinFact),
  'facts/features.json': list(feature),
  'facts/faq.json': faq,
  'facts/technical-help.json': list(question),
  'facts/manuals.json': list(manual),
  'facts/white-paper.json': whitePaper,
  'facts/sale.json': sale,
  'facts/films.json': films,
  'facts/synergy.json': synergy,
  'facts/display-rates.json': displayRates,
  'facts/common-passwords.json': commonPasswords,
  'facts/review-reasons.json': reviewReasons,
} satisfies Record<string, z.ZodType>
