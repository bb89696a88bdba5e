import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noteBackup } from '../backup/backup-run.queries.ts'
import { measureInstance } from './measure-instance.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const textOf = (name: string) =>
  readFileSync(new URL(`../../deploy/observability/${name}`, import.meta.url), 'utf8')
const guide = readFileSync(new URL('../../docs/how-to/watch-it.md', import.meta.url), 'utf8')

type Board = { panels: { targets?: { expr: string }[] }[]; annotations: { list: { expr: string }[] } }
const board = JSON.parse(textOf('dashboard.json')) as Board
const alerts = [...textOf('alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(([, expr]) => expr!)
const shown = [
  ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...board.annotations.list.map(({ expr }) => expr),
]

/** What Prometheus makes itself. */
const ofPrometheus = new Set(['up'])

/** The metrics that an expression names: no function, no label, no text. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/\b([a-z_]+[a-z\d_]*)\b(?!\s*\()/g)]
    .map(([, name]) => name!)
    .filter((name) => !['and', 'or', 'unless', 'by'].includes(name) && !ofPrometheus.has(name))
}

async function namesThatExist(): Promise<Set<string>> {
  const { app, services } = await startApi({ METRICS_TOKEN: 'token' })
  measureInstance(app, { kept: { bytes: () => 0 }, changes: { onListening: () => {} } })
  await noteBackup(services.db, { beganAt: new Date(), bytes: 1, place: 'directory', failure: null })
  await cleanUp(services)
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer token' } })
  const names = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name!],
  )
  return new Set(names)
}

test('every metric that the dashboard and the alerts name exists, and the guide names each of ours', async () => {
  expect(alerts.length).toBeGreaterThan(10)
  expect(shown.length).toBeGreaterThan(20)
  const exist = await namesThatExist()
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

test('the metrics of an expression are found', () => {
  expect(
    metricsIn('sum by (le) (rate(a_bucket{status=~"5.."}[5m])) / b_total > 0.02 and time() - c > 3'),
  ).toEqual(['a_bucket', 'b_total', 'c'])
})

test('each alert says what people notice and where to begin', () => {
  const rules = textOf('alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1)
  for (const rule of rules) {
    expect(rule).toMatch(/severity: (page|look)/)
    expect(rule).toMatch(/summary: \S/)
    expect(rule).toMatch(/repair: \S/)
  }
})
