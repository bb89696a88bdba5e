import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { makeProductLog } from '#tests/setup/product-log.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const config = textOf('deploy/observability/syslog-ng.conf')
const guide = textOf('docs/how-to/ship-logs.md')

/** What the product logs about a failed request and a job. */
function realLines() {
  const { log, lines } = makeProductLog()
  log.info({ job: 'trash', ms: 3 }, 'a job is done')
  const error = Object.assign(new TypeError('ada@example.org is "secret"'), { code: 'ERR_SAMPLE' })
  log.child({ reqId: 'a-request' }).error({ error }, 'unexpected')
  log.fatal({ reason: 'ENOSPC' }, 'the program stops')
  return lines
}

test('every field that the configuration reads is in the log of the product', () => {
  const [, failed] = realLines()
  const fields = [...config.matchAll(/\$\{log\.([\w.]+)\}/g)].map(([, path]) => path!)
  expect(fields.length).toBeGreaterThan(5)
  for (const path of fields) {
    const value = path
      .split('.')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], failed)
    expect([path, value]).not.toEqual([path, undefined])
  }
  expect(config).toContain(`"\${log.level}" >= "${failed!.level}"`)
})

test('the configuration reads the unit and the containers of this repository, and the guide names what to replace', () => {
  expect(textOf('deploy/systemd/coin.service')).toContain('[Service]')
  expect(config).toContain('eq "coin.service"')
  const containers = new RegExp(/match\("([^"]+)"/.exec(config)![1]!)
  const services = [...textOf('deploy/compose/compose.yaml').matchAll(/^ {2}(coin-\w+):$/gm)].map(
    ([, name]) => name!,
  )
  expect(services.length).toBeGreaterThan(0)
  for (const name of services)
    for (const container of [`site_${name}_1`, `site-${name}-1`, name]) expect(container).toMatch(containers)
  expect('site-database-1').not.toMatch(containers)
  for (const [placeholder] of config.matchAll(/https?:\/\/[\w.:-]+\/(?=loki|api)|PUBLIC_KEY/g))
    expect(guide).toContain(placeholder)
})

type Received = { path: string; body: string; key: string | undefined }

/** Runs syslog-ng with the configuration. Lines come from a file instead of the journal. */
async function startShipping(): Promise<{ received: Received[]; write: (lines: string[]) => Promise<void> }> {
  const folder = await makeTemporary('logs')
  const received: Received[] = []
  const server = createServer((request, response) => {
    const { 'x-sentry-auth': auth } = request.headers
    void text(request).then((body) => {
      received.push({ path: request.url!, body, key: auth?.toString() })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const log = join(folder, 'log')
  const source = `channel { source { file("${log}" flags(no-parse) follow-freq(0.1)); };
    rewrite { set("coin.service", value("journal._SYSTEMD_UNIT")); }; };`
  const adapted = config
    .replace(/systemd-journal\(.*\);/, source)
    .replaceAll(/https?:\/\/[\w.:-]+(?=\/(?:loki|api))/g, address)
  await writeFile(join(folder, 'conf'), adapted)
  await writeFile(log, '')
  const own = ['-R', 'persist', '-p', 'pid', '-c', 'ctl'].map((each) =>
    each.startsWith('-') ? each : join(folder, each),
  )
  const running = spawn('syslog-ng', ['--foreground', '-f', join(folder, 'conf'), ...own], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    running.kill()
    server.close()
    await removeTemporary(folder)
  })
  return { received, write: (lines) => appendFile(log, lines.map((line) => `${line}\n`).join('')) }
}

const hasSyslogNg = spawnSync('which', ['syslog-ng']).status === 0

test.skipIf(!hasSyslogNg)(
  'syslog-ng sends each line to Loki, and errors as envelopes (not run without syslog-ng)',
  async () => {
    const { received, write } = await startShipping()
    const lines = realLines().map((line) => JSON.stringify(line))
    // What Node.js itself prints may contain values.
    await write([...lines, 'TypeError: ada@example.org', '    at somewhere'])
    await expect.poll(() => received.length).toBe(5)
    const shipped = received.filter(({ path }) => path === '/loki/api/v1/push')
    type Push = { streams: { stream: { level: string }; values: [string, string][] }[] }
    const streams = shipped.flatMap(({ body }) => (JSON.parse(body) as Push).streams)
    expect(streams.map(({ values }) => values[0]![1])).toEqual(lines)
    expect(streams.map(({ stream }) => stream.level)).toEqual(['30', '50', '60'])
    for (const { values } of streams) expect(values[0]![0]).toMatch(/^\d{13}000000$/)

    const [{ body, key }, last] = received.filter(({ path }) => path === '/api/1/envelope/') as [
      Received,
      Received,
    ]
    expect(JSON.parse(last.body.split('\n')[2]!)).toMatchObject({
      level: 'fatal',
      exception: { values: [{ type: 'the program stops' }] },
    })
    expect(key).toContain('sentry_key=PUBLIC_KEY')
    const [header, item, event] = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(item).toEqual({ type: 'event' })
    expect(header).toEqual({ event_id: event!['event_id'] })
    expect(event).toMatchObject({
      event_id: expect.stringMatching(/^[\da-f]{32}$/) as string,
      level: 'error',
      transaction: expect.stringMatching(
        /^api\/platform\/operations\/shipped-logs\.test\.ts:\d+:\d+$/,
      ) as string,
      exception: { values: [{ type: 'TypeError', value: 'unexpected' }] },
      tags: { code: 'ERR_SAMPLE', request: 'a-request' },
      extra: { line: lines[1] },
    })
    expect(JSON.stringify(received)).not.toContain('ada@example.org')
  },
)
