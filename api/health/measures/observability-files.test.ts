import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { jobNames } from '#contract/platform/job-names.ts'
import { signIn } from '#contract/people/sessions.ts'
import { recordBackupEnd, recordBackupStart } from '../../platform/backup/backup-run.queries.ts'
import { measureInstance } from '../../platform/operations/measure-instance.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const textOf = (name: string) =>
  readFileSync(new URL(`../../../deploy/observability/${name}`, import.meta.url), 'utf8')
const guide = readFileSync(new URL('../../../docs/how-to/watch-it.md', import.meta.url), 'utf8')

type Board = { panels: { targets?: { expr: string }[] }[]; annotations: { list: { expr: string }[] } }
const board = JSON.parse(textOf('dashboard.json')) as Board
const alerts = [...textOf('alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(([, expr]) => expr!)
const shown = [
  ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...board.annotations.list.map(({ expr }) => expr),
]

/** Created by Prometheus itself. */
const ofPrometheus = new Set(['up'])

/** The metrics in an expression, without functions, labels, and texts. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/\b([a-z_]+[a-z\d_]*)\b(?!\s*\()/g)]
    .map(([, name]) => name!)
    .filter((name) => !['and', 'or', 'unless', 'by'].includes(name) && !ofPrometheus.has(name))
}

/** The metrics of an instance that has done a little of everything. */
async function collect(): Promise<string> {
  const { app, call, services } = await startApi({ METRICS_TOKEN: 'token' }, afterAll)
  measureInstance(app, { responseCache: { bytes: () => 0 }, changes: { onListening: () => {} } })
  await recordBackupEnd(services.db, await recordBackupStart(services.db, 'directory'), {
    bytes: 1,
    failure: null,
  })
  await cleanUp(services)
  const { problem } = await call(signIn, { body: { email: 'nobody@example.org', password: 'not the one' } })
  expect(problem.code).toBe('credentials_invalid')
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer token' } })
  return body
}
const collected = await collect()

function namesThatExist(): Set<string> {
  const names = [...collected.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name!],
  )
  return new Set(names)
}

/** The values of each label of each metric. */
const labels = new Map<string, Map<string, Set<string>>>()
for (const [, name = '', pairs = ''] of collected.matchAll(/^([a-z_\d]+)\{(.*)\} \S+$/gm))
  for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
    const ofName = labels.get(name) ?? new Map<string, Set<string>>()
    labels.set(name, ofName.set(label, (ofName.get(label) ?? new Set()).add(value)))
  }
/** A job that only runs in the background. */
const known = new Set<string>(jobNames)
/** Prometheus writes its own values into these, and ours elsewhere. */
const ofTarget = ['job', 'instance']

test('every metric in the dashboard and alerts exists, and the guide names each of ours', () => {
  expect(alerts.length).toBeGreaterThan(10)
  expect(shown.length).toBeGreaterThan(20)
  const exist = namesThatExist()
  const missing = [...alerts, ...shown].flatMap((expression) =>
    metricsIn(expression)
      .filter((name) => !exist.has(name))
      .map((name) => `${name} in ${expression}`),
  )
  expect(missing).toEqual([])
  const own = [...exist]
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    .filter((name) => !/^(process|nodejs)_/.test(name))
  expect([...new Set(own)].filter((name) => !guide.includes(`\`${name}`))).toEqual([])
})

test('no metric has a label reserved by Prometheus', () => {
  const taken = [...labels].filter(([, ofName]) => ofTarget.some((label) => ofName.has(label)))
  expect(taken.map(([name]) => name)).toEqual([])
})

test('every label and value in an expression exists in the metric', () => {
  const wrong = [...alerts, ...shown].flatMap((expression) => {
    const asked = [...expression.matchAll(/\b([a-z_\d]+)\{([^}]*)\}/g)].flatMap(
      ([, name = '', matchers = '']) =>
        [...matchers.matchAll(/(\w+)=~?"([^"]*)"/g)].flatMap(([, label = '', pattern = '']) => {
          const values = [...(labels.get(name)?.get(label) ?? [])]
          const isThere = (one: string) =>
            known.has(one) || values.some((value) => new RegExp(`^${one}$`).test(value))
          // Failures among the kinds of answers may be absent.
          const isHoped = ofPrometheus.has(name) || (label === 'status' && values.length > 0)
          return isHoped ? [] : pattern.split('|').filter((one) => !isThere(one) || values.length === 0)
        }),
    )
    const metrics = metricsIn(expression)
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
      names.split(/,\s*/),
    )
    const missing = grouped.filter((label) => !metrics.some((name) => labels.get(name)?.has(label)))
    return [...asked, ...missing].map((what) => `${what} in ${expression}`)
  })
  expect(wrong).toEqual([])
})

test('finds the metrics of an expression', () => {
  expect(
    metricsIn('sum by (le) (rate(a_bucket{status=~"5.."}[5m])) / b_total > 0.02 and time() - c > 3'),
  ).toEqual(['a_bucket', 'b_total', 'c'])
})

test('each alert describes the symptom and the first step', () => {
  const rules = textOf('alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1)
  for (const rule of rules) {
    expect(rule).toMatch(/severity: (page|look)/)
    expect(rule).toMatch(/summary: \S/)
    expect(rule).toMatch(/repair: \S/)
  }
})

test('the Prometheus tests show for each alert when it fires and when not', () => {
  const cases = [...textOf('alerts.test.yml').matchAll(/alertname: (\w+)\n +exp_alerts:(.*)/g)].map(
    ([, name, none]) => `${name} ${none === ' []' ? 'is silent' : 'fires'}`,
  )
  const names = [...textOf('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(cases).toEqual(names.flatMap((name) => [`${name} fires`, `${name} is silent`]))
})
