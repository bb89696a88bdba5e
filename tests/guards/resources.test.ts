import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { sortsOf, type AnyResource } from '#contract/platform/resource.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import { aMention, aNote, aSignedInMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { sources } from '#web/console/palette/sources.ts'
import { explain, statementsOf } from '../../bench/installation/plans.ts'
import { root, sourcesIn } from './source-files.ts'

const isResource = (value: unknown): value is AnyResource =>
  typeof value === 'object' && value !== null && 'declared' in value && 'list' in value

const modules = await Promise.all(
  sourcesIn('contract').map((path) => import(join(root, path)) as Promise<Record<string, unknown>>),
)
const resources = modules.flatMap((module) => Object.values(module).filter(isResource))
const named = resources.map((resource) => [resource.declared.name, resource] as const)

let started: TestApi
let token: string
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  started = await startApi({}, (end) => ends.push(end))
  Object.assign(started.services.config, { isDemo: true, hasDemoWorld: true })
  await seedDemo(started.services)
  const everything = { is_write_access_admin: true, manage_finance: 2, manage_coins: 2 }
  const reader = await aSignedInMember(started, everything)
  token = reader.token
  // Mentions are the reader's own.
  const subject = await aSignedInMember(started)
  await aMention(started, await aNote(started, subject.id, { kind: 'member', id: subject.id }), reader.id)
})
afterAll(async () => {
  for (const end of ends) await end()
})

test('each console list is declared once, under a name of its own, and its endpoints are served', () => {
  expect(resources.length).toBeGreaterThan(10)
  expect(new Set(named.map(([name]) => name)).size).toBe(resources.length)
  const served = new Set<unknown>(Object.values(api))
  const hidden = resources.flatMap(({ list, file, get }) =>
    [list, file, get]
      .filter((endpoint) => endpoint && !served.has(endpoint))
      .map((endpoint) => endpoint!.path),
  )
  expect(hidden).toEqual([])
})

/** Lists for staff that are older than `resource`, or not lists of records in the console. */
const otherLists = [
  'findKyc',
  'findMembers',
  'findOrders',
  'listContentReleases',
  'listContentVersions',
  'listKyc',
  'listKycOfMember',
  'listMembers',
  'listOrders',
  'listPostVersions',
  'listStatementLines',
  'listWebhookDeliveries',
  'readMemberTimeline',
]

test('a list that staff read page by page is a resource', () => {
  const declared = new Set<unknown>(resources.map(({ list }) => list))
  const paged = Object.entries<Endpoint>(api).filter(
    ([, { access, query }]) =>
      access.who === 'staff' && 'after' in ((query as { shape?: object })?.shape ?? {}),
  )
  const others = paged.filter(([, endpoint]) => !declared.has(endpoint)).map(([name]) => name)
  expect(others.toSorted()).toEqual(otherLists)
})

test('reading is recorded, a CSV requires step-up authentication, and the palette finds it, or it says why not', () => {
  const searched = new Set(sources.map(({ resource }) => resource))
  const missing = resources.flatMap((resource) => {
    const { name, auditsAccess, palette, file, filters } = resource.declared
    const reasons = [auditsAccess, palette, file && 'stepUp' in file ? file.stepUp : undefined]
    const isStepUpExplained = file !== undefined && 'stepUp' in file && file.stepUp !== undefined
    const asksStepUp = resource.file?.errors.includes('step_up_required')
    return [
      ...reasons
        .filter((reason) => typeof reason === 'object' && reason.without.length < 20)
        .map(() => 'reason'),
      ...(resource.file && asksStepUp === isStepUpExplained ? ['step-up'] : []),
      ...(typeof palette === 'string' && !(palette in filters) ? ['filter of the palette'] : []),
      ...((typeof palette === 'string') === searched.has(resource) ? [] : ['palette']),
    ].map((lack) => `${name}: ${lack}`)
  })
  expect(missing).toEqual([])
})

const timestamptz = 1184

/** Whether the page's rows are sorted by a time that is more precise than the milliseconds in its cursor. */
async function isImprecise(client: pg.Client, text: string, values: unknown[]): Promise<boolean> {
  const [, by] = /order by (?:"?\w+"?\.)?"?(\w+)/.exec(text) ?? []
  const { fields } = await client.query(text, values)
  const column = fields.find(({ name }) => name === by)
  return column?.dataTypeID === timestamptz && column.dataTypeModifier !== 3
}

test.each(named)('the list %s has a sample, and each of its orders has an index', async (_, resource) => {
  const client = new pg.Client({ connectionString: started.services.config.databaseUrl! })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan = off')
  await client.query('set enable_sort = off')
  const { body } = await started.call(resource.list, {}, { token })
  expect(body, 'rows in the sample world').not.toEqual([])
  const sorted: (string | undefined)[] = []
  const imprecise: (string | undefined)[] = []
  const sorts = sortsOf(resource)
  for (const sort of sorts.length > 0 ? sorts : [undefined]) {
    const query = sort === undefined ? {} : { sort }
    const sent = await statementsOf(() => started.call(resource.list, { query } as never, { token }))
    const pages = sent.filter(({ text }) => /order by .* limit \$?\d+$/s.test(text))
    const way = await explain(client, new Set(), pages)
    if (way.isSorted || way.plans.length === 0) sorted.push(sort)
    for (const { text, values } of pages) if (await isImprecise(client, text, values)) imprecise.push(sort)
  }
  expect(sorted, 'orders without an index').toEqual([])
  expect(imprecise, 'orders whose times are not timestamptz(3), which pages repeat or skip').toEqual([])
})

const filed = named.filter(([, { file }]) => file !== undefined)

test.each(filed)('the CSV of %s is limited per hour', async (_, { file }) => {
  let code: string | undefined
  for (let count = 0; count <= 30 && code === undefined; count += 1)
    code = (await started.call(file!, {}, { token })).problem?.code
  expect(code).toBe('rate_limited')
})

test('an old proof is not enough for a CSV with personal data', async () => {
  await letProofAge(started)
  const open: string[] = []
  for (const [name, { file }] of filed.filter(([, { declared }]) => !('stepUp' in (declared.file ?? {}))))
    if ((await started.call(file!, {}, { token })).problem?.code !== 'step_up_required') open.push(name)
  expect(open).toEqual([])
})
