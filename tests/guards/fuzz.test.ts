import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { addressOf } from '#contract/platform/address.ts'
import { api, type EndpointName } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { startApi } from '#tests/setup/start-api.ts'
import type { StoredMember } from '#tests/stored-members.ts'
import { aStoredMember } from './access/members-in-stock.ts'
import { requests } from './access/requests.ts'

const started = await startApi({}, afterAll)
const names = Object.keys(api) as EndpointName[]
/** The nightly run tries more values. They are the same in each run. */
const runs = isFull ? 20 : 3

const everything = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

/** Values that have broken one server or another. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '\uffff',
    '%00',
    '../../etc/passwd',
    "' or 1=1 --",
    'toString',
    '__proto__',
    '9999-99-99T99:99:99Z',
    '2026-02-30T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    'NaN',
    'x'.repeat(10_000),
    [],
    [[]],
    {},
    { toString: null },
    { length: -1 },
    Array(1000).fill(null),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.double(),
)

async function send(
  endpoint: Endpoint,
  url: string,
  body: unknown,
  member?: StoredMember,
  phoneSecret?: string,
): Promise<number> {
  const answer = await started.send({
    method: endpoint.method,
    url,
    remoteAddress: member?.ip ?? '192.0.2.9',
    headers: {
      'x-app-id': started.services.config.appId,
      ...(member ? { 'x-access-token': member.token } : {}),
      ...(phoneSecret ? { 'x-phone-secret': phoneSecret } : {}),
      ...(endpoint.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(endpoint.method === 'POST' ? { payload: JSON.stringify(body) ?? '' } : {}),
  })
  return answer.statusCode
}

/** Characters that a URL cannot contain even when escaped are covered by other tests. */
const inAddress = fc.string({ maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed()) || 'x')

test(
  'any JSON, in any place, from a stranger or an administrator, is answered and never breaks anything',
  { tags: ['nightly'] },
  async () => {
    const admin = await aStoredMember(started, everything)
    let answered = 0
    for (const name of names) {
      const endpoint: Endpoint = api[name]
      const fields = Object.keys(
        (endpoint.body as { def?: { shape?: object } } | undefined)?.def?.shape ?? {},
      )
      const body = fc.oneof(
        hostile,
        fc.dictionary(fc.oneof(fc.constantFrom('toString', ...fields), fc.string()), hostile, { maxKeys: 6 }),
      )
      const property = fc.asyncProperty(body, inAddress, inAddress, async (json, param, query) => {
        const path = `/v2/${endpoint.path.replaceAll(/:\w+/g, param)}?limit=${query}&after=${query}`
        for (const by of [undefined, admin]) {
          for (const url of [path, path.split('?')[0]!]) {
            answered += 1
            expect([name, (await send(endpoint, url, json, by)) < 500]).toEqual([name, true])
          }
        }
      })
      await fc.assert(property, { numRuns: runs, seed: 7 })
    }
    expect(answered).toBeGreaterThanOrEqual(names.length * runs * 4)
  },
)

test('one wrong value in an input that is right otherwise never breaks anything', async () => {
  for (const name of names) {
    const endpoint: Endpoint = api[name]
    const actor = await aStoredMember(started, everything)
    const input = (await requests[name]({ started, actor, owner: actor })) as CallOf<Endpoint>
    const body = (input.body ?? {}) as Record<string, unknown>
    const fields = Object.keys((endpoint.body as { def?: { shape?: object } } | undefined)?.def?.shape ?? {})
    if (fields.length === 0) continue
    const property = fc.asyncProperty(fc.constantFrom(...fields), hostile, async (field, value) => {
      const url = `/v2/${addressOf(endpoint, input)}`
      const status = await send(endpoint, url, { ...body, [field]: value }, actor, input.phoneSecret)
      expect([name, field, status < 500]).toEqual([name, field, true])
    })
    await fc.assert(property, { numRuns: runs, seed: 8 })
  }
})
