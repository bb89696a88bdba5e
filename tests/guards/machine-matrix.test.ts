import { afterAll, describe, expect, test } from 'vitest'
import { api, type EndpointName } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/endpoint.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { expectations } from './access/expectations.ts'
import { machineExpectations, tokenKinds } from './access/machine-expectations.ts'
import { aStoredMember } from './access/members-in-stock.ts'
import { requests } from './access/requests.ts'

const names = Object.keys(api) as EndpointName[]
const open = names.filter((name) => machineExpectations[name])
const started = await startApi({}, afterAll)
const allRights = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

const maker = await aStoredMember(started, allRights)
const tokenOf = async (levels: Record<string, number>, isReadOnly = false) =>
  (await aToken(started, maker.id, { levels, isReadOnly })).secret
const tokens = await Promise.all(
  tokenKinds.map(async (kind) => ({
    kind,
    secret: await tokenOf({ [kind.slice(0, -1)]: Number(kind.at(-1)) }),
  })),
)
const all = { news: 2, employee: 2, finance: 2, coins: 2 }
const [strongest, readsOnly] = [await tokenOf(all), await tokenOf(all, true)]

async function inputFor(name: EndpointName): Promise<CallOf<Endpoint>> {
  const owner = await aStoredMember(started)
  return (await requests[name]({ started, actor: maker, owner })) as CallOf<Endpoint>
}
async function attempt(name: EndpointName, input: CallOf<Endpoint>, secret: string) {
  const { status, problem } = await started.call(api[name], input, by(secret))
  return status < 300 ? status : problem.code
}

describe('every token gets what the table says from', () => {
  test.for(open)('%s', async (name) => {
    const { may, writes } = machineExpectations[name]!
    const isPublic = api[name].access.who === 'anyone'
    // Levels are checked before anything else, so rejected requests can share an input.
    let input = await inputFor(name)
    const outcomes: Record<string, unknown> = {}
    for (const { kind, secret } of isPublic ? tokens.slice(0, 1) : tokens) {
      outcomes[kind] = await attempt(name, input, secret)
      if (may.includes(kind) && writes) input = await inputFor(name)
    }
    const asked = isPublic ? tokenKinds.slice(0, 1) : tokenKinds
    expect(outcomes).toEqual(
      Object.fromEntries(
        asked.map((kind) => [kind, may.includes(kind) ? expectations[name].success : 'forbidden']),
      ),
    )
    const readOnly = await attempt(name, input, readsOnly)
    expect(readOnly).toBe(writes ? 'token_read_only' : expectations[name].success)
  })
})

test('every other call is closed to a token with all levels of an administrator', async () => {
  const closed = names.filter((name) => !machineExpectations[name])
  const outcomes = await Promise.all(
    closed.map(async (name) => {
      const { method, path } = api[name] as Endpoint
      const answer = await started.send({
        method,
        url: `/v2/${path.replaceAll(/:\w+/g, 'sample')}`,
        headers: { 'x-app-id': started.services.config.appId, ...by(strongest).headers },
        ...(method === 'POST' ? { payload: {} } : {}),
      })
      return [name, answer.statusCode, answer.json<{ code: string }>().code]
    }),
  )
  expect(outcomes).toEqual(closed.map((name) => [name, 403, 'person_required']))
  expect(closed.length).toBeGreaterThan(150)
})
