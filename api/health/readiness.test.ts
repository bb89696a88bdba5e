import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import { startApi } from '#tests/setup/start-api.ts'

const token = 'the-token-of-those-who-watch'
const headers = { authorization: `Bearer ${token}` }

test('anonymous clients only learn whether the instance accepts requests', async () => {
  const started = await startApi({ METRICS_TOKEN: token, SMTP_URL: 'smtp://127.0.0.1:9' })
  await sql`insert into mail (id, to_address, kind, sealed_message, state, created_at)
    values ('a', 'a@example.org', 'x', '', 'waiting', now() - interval '1 hour')`.execute(started.services.db)
  for (const given of [{}, { authorization: 'Bearer wrong' }])
    expect((await started.call(api.checkReadiness, {}, { headers: given })).body).toEqual({ status: 'ready' })
  const { status, body } = await started.call(api.checkReadiness, {}, { headers })
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ready', degraded: [{ part: 'mail', problems: ['mail_waiting'] }] })
})

test('with the metrics token reports a healthy state; not ready without the database or on shutdown', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  expect((await started.call(api.checkReadiness, {}, { headers })).body).toEqual({
    status: 'ready',
    degraded: [],
  })
  started.services.lifecycle.isStopping = true
  expect(await started.call(api.checkReadiness, {}, { headers })).toMatchObject({
    status: 503,
    problem: { code: 'unavailable' },
  })
})

test('with the metrics token reports an unreachable file store, but stays ready', async () => {
  const started = await startApi({ METRICS_TOKEN: token })
  const store = join(started.services.config.dataDir, 'files')
  await rm(store, { recursive: true, force: true })
  await writeFile(store, '')
  const { status, body } = await started.call(api.checkReadiness, {}, { headers })
  expect(status).toBe(200)
  expect(body.degraded).toMatchObject([{ part: 'storage' }])
})
