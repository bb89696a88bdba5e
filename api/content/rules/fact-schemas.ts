import { z } from 'zod'
import { reasonUses } from '#contract/kyc-review.ts'
import { languages } from '#contract/languages.ts'
import { brand } from './brand-schema.ts'
import { colours } from './colours-schema.ts'
import {
  address,
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
import { films } from './films-schema.ts'
import { siteLanguages } from './languages-schema.ts'
import { issue } from './problem.ts'
import { whitePaper } from './white-paper-schema.ts'

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
  ...words({ label: line, value: line, unit: line.optional(), note: line.optional() }),
})

const feature = z.strictObject({ id: kebab, ...words({ title: line, text: line }) })

const question = z.strictObject({
  id: kebab,
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
  'facts/films.json': films,
  'facts/synergy.json': synergy,
  'facts/common-passwords.json': commonPasswords,
  'facts/review-reasons.json': reviewReasons,
} satisfies Record<string, z.ZodType>
