import { z } from 'zod'
import { colours } from './colours-schema.ts'

const line = z.string().trim().min(1)
const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
const address = z.url({ protocol: /^https$/ })
const day = z.iso.date()
const sample = z.literal('sample').optional()
const isSpecial = z.literal(true).optional()
/** A file in content/media/people; without one a rosette is drawn from the name. */
const photo = z.string().optional()
const hasHan = (value: unknown) => /\p{Script=Han}/u.test(JSON.stringify(value))

/** The two languages of an entry, of the same shape; each must be written in its own script. */
function words<Shape extends z.ZodRawShape>(shape: Shape) {
  return {
    en: z.strictObject(shape).refine((value) => !hasHan(value), 'English holds Chinese characters'),
    cn: z.strictObject(shape).refine(hasHan, 'Chinese holds no Chinese characters'),
  }
}

const bilingualLine = z.strictObject({
  en: line.refine((value) => !hasHan(value), 'English holds Chinese characters'),
  cn: line.refine(hasHan, 'Chinese holds no Chinese characters'),
})

/** At most as many entries as the page layouts support, with unique ids. */
function list<Entry extends z.ZodType<{ id: string }>>(entry: Entry, min = 1, max = 24) {
  return z
    .array(entry)
    .refine(({ length }) => length >= min && length <= max, {
      error: ({ input }) => `has ${(input as unknown[]).length} entries, must have ${min} to ${max}`,
    })
    .superRefine((entries, context) => {
      for (const [at, { id }] of entries.entries()) {
        const isRepeated = entries.findIndex((other) => other.id === id) < at
        if (isRepeated)
          context.addIssue({ code: 'custom', path: [at, 'id'], message: `"${id}" is used twice` })
      }
    })
}

const brand = z.strictObject({
  name: line,
  ticker: z.string().regex(/^[A-Z0-9]{2,8}$/),
  tagline: bilingualLine,
  legalLine: bilingualLine,
  email: z.email(),
  phone: line,
  address: z.strictObject({ en: z.array(line).min(1), cn: z.array(line).min(1) }),
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
  legal: z.strictObject({ terms: day, privacy: day }),
  storageKey: line,
})

const milestone = z.strictObject({
  id: kebab,
  date: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11'),
  state: z.enum(['done', 'current', 'next']),
  ...words({ title: line, text: line }),
})

const stateOrder = ['done', 'current', 'next']

const roadmap = list(milestone).superRefine((milestones, context) => {
  for (const [at, { date, state }] of milestones.entries()) {
    const before = milestones[at - 1]
    if (!before) continue
    if (date < before.date)
      context.addIssue({ code: 'custom', path: [at, 'date'], message: 'is before the one above' })
    if (stateOrder.indexOf(state) < stateOrder.indexOf(before.state))
      context.addIssue({ code: 'custom', path: [at, 'state'], message: `"${state}" after "${before.state}"` })
  }
})

const teamMember = z.strictObject({
  id: kebab,
  note: sample,
  photo,
  special: isSpecial,
  linkedin: address.optional(),
  ...words({ name: line, title: line, skills: z.array(line).min(1) }),
})

const team = list(z.strictObject({ id: kebab, ...words({ title: line }), members: list(teamMember) }))

const ambassadors = list(
  z.strictObject({
    id: kebab,
    note: sample,
    photo,
    special: isSpecial,
    profile: address.optional(),
    /** From and until which day somebody is an ambassador; who no longer is one stays in the file, so that their page says so. */
    since: day.optional(),
    until: day.optional(),
    ...words({ name: line, location: line }),
  }),
).refine((entries) => entries.filter(({ special }) => special).length <= 1, 'at most one may be special')

const partners = list(
  z.strictObject({ id: kebab, seed: z.int().min(0), note: sample, ...words({ name: line, line }) }),
)

const comparison = z
  .strictObject({
    columns: list(z.strictObject({ id: kebab, ...words({ title: line, note: line }) }), 2, 4),
    rows: list(z.strictObject({ id: kebab, ...words({ label: line, values: z.array(line) }) })),
  })
  .superRefine(({ columns, rows }, context) => {
    for (const [at, row] of rows.entries())
      for (const language of ['en', 'cn'] as const)
        if (row[language].values.length !== columns.length)
          context.addIssue({
            code: 'custom',
            path: ['rows', at, language, 'values'],
            message: `has ${row[language].values.length} values for ${columns.length} columns`,
          })
  })

const coinFact = z.strictObject({
  id: kebab,
  ...words({ label: line, value: line, unit: line.optional(), note: line }),
})

const feature = z.strictObject({ id: kebab, ...words({ title: line, text: line }) })

const question = z.strictObject({ id: kebab, ...words({ question: line, answer: z.array(line).min(1) }) })

const faq = z.strictObject({
  main: z.strictObject({
    id: kebab,
    ...words({
      question: line,
      intro: line,
      items: z.array(line).min(1).max(24),
      brochureLabel: line,
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

const films = list(film, 3, 26).superRefine((entries, context) => {
  for (const [place, most] of [
    ['hero', 1],
    ['home', 24],
    ['ambassador', 1],
  ] as const) {
    const { length } = entries.filter((entry) => entry.place === place)
    if (length < 1 || length > most)
      context.addIssue({
        code: 'custom',
        message: `has ${length} films with the place "${place}", must have ${most === 1 ? 1 : `1 to ${most}`}`,
      })
  }
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
    nodes: list(z.strictObject({ id: kebab, ...words({ label: line, text: line }) }), 6, 8),
    edges: z.array(z.strictObject({ from: kebab, to: kebab, ...words({ label: line }) })).min(1),
  })
  .superRefine(({ nodes, edges }, context) => {
    const ids = new Set(nodes.map(({ id }) => id))
    for (const [at, edge] of edges.entries())
      for (const end of ['from', 'to'] as const)
        if (!ids.has(edge[end]))
          context.addIssue({ code: 'custom', path: ['edges', at, end], message: `no node "${edge[end]}"` })
  })

/** Standard reasons that officers give applicants. */
const reviewReasons = list(
  z.strictObject({
    id: kebab,
    for: z.array(z.enum(['photo', 'more_info', 'rejected', 'final'])).min(1),
    ...words({ label: line, text: line.max(2000) }),
  }),
  4,
  30,
)

/** The schema of each file of facts, by its path under content. */
export const factSchemas = {
  'brand.json': brand,
  'colours.json': colours,
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
  'facts/films.json': films,
  'facts/synergy.json': synergy,
  'facts/common-passwords.json': commonPasswords,
  'facts/review-reasons.json': reviewReasons,
} satisfies Record<string, z.ZodType>

/** One message file: flat, full dotted keys, one phrase each. */
export const messageSchema = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)+$/, 'is not a full dotted key'),
  line,
)
