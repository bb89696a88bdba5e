import { afterAll, expect, test } from 'vitest'
import { api, type EndpointName } from '#contract/api.ts'
import { addressOf } from '#contract/platform/address.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import type { Problem } from '#contract/platform/errors.ts'
import { KIB } from '#contract/platform/fields.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { requests } from '#tests/guards/access/requests.ts'

const started = await startApi({}, afterAll)
const everything = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}
const withBody = (Object.keys(api) as EndpointName[]).filter((name) => api[name].body)

/** The maximum cost of a body in milliseconds of CPU time, and of its answer in bytes. */
const timeMax = 1500
const answerBytesMax = 32 * KIB

const many = (count: number, value: string, name = (n: number) => `k${n}`) =>
  `{${Array.from({ length: count }, (_, n) => `"${name(n)}":${value}`).join(',')}}`
const list = (count: number, value: string) => `[${Array<string>(count).fill(value).join(',')}]`
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + '1' + close.repeat(depth)

/** Repeated to fill a body of 256 KiB. `field` is a field that the endpoint knows. */
const bodies: Record<string, (field: string) => string> = {
  'unknown fields': () => many(23_000, '1'),
  'unknown fields within a field': (field) => `{"${field}":${many(23_000, '1')}}`,
  'unknown fields within items of a list': (field) => `{"${field}":${list(20, many(1000, '1'))}}`,
  'one list of nothing': (field) => `{"${field}":${list(50_000, 'null')}}`,
  'one list of objects': (field) => `{"${field}":${list(80_000, '{}')}}`,
  'lists of lists': (field) => `{"${field}":${list(50_000, '[1]')}}`,
  'names of 10,000 characters': () => many(24, '1', (n) => `${n}`.padEnd(10_000, 'n')),
  'names that escape to six times their length': () => many(20, '1', (n) => `${n}${'\\u0001'.repeat(2000)}`),
  'lists in lists': (field) => `{"${field}":${nested(60_000, '[', ']')}}`,
  'objects in objects': (field) => `{"${field}":${nested(40_000, '{"a":', '}')}}`,
  'one long text': (field) => `{"${field}":"${'x'.repeat(250 * KIB)}"}`,
}

async function send(name: EndpointName, payload: string, actor: TestMember, input: CallOf<Endpoint>) {
  const { statusCode, rawPayload } = await started.send({
    method: 'POST',
    url: `/v2/${addressOf(api[name], input)}`,
    remoteAddress: actor.ip,
    headers: {
      'x-app-id': started.services.config.appId,
      'x-access-token': actor.token,
      'content-type': 'application/json',
      'idempotency-key': 'a-key',
      ...(input.phoneSecret ? { 'x-phone-secret': input.phoneSecret } : {}),
    },
    payload,
  })
  return { status: statusCode, bytes: rawPayload.length }
}

const byDay: readonly EndpointName[] = ['signIn', 'updateMember', 'createKyc', 'createAnnouncement']

test.each(byDay)('%s refuses hostile bodies quickly and briefly', refuses)

test.each(withBody.filter((name) => !byDay.includes(name)))(
  '%s also refuses hostile bodies quickly and briefly',
  { tags: ['nightly'] },
  refuses,
)

async function refuses(name: EndpointName): Promise<void> {
  const actor = await aSignedInMember(started, everything)
  const input = (await requests[name]({ started, actor, owner: actor })) as CallOf<Endpoint>
  const known = Object.keys((api[name].body as { def?: { shape?: object } }).def?.shape ?? {})
  for (const [kind, make] of Object.entries(bodies)) {
    const payload = make(known.at(-1) ?? 'email')
    let answer = { status: 0, bytes: 0 }
    const time = await processorTimeOf(async () => (answer = await send(name, payload, actor, input)))
    expect([kind, answer.status < 500, answer.bytes < answerBytesMax, time < timeMax]).toEqual([
      kind,
      true,
      true,
      true,
    ])
  }
}

test('names the first twenty of many unknown fields', async () => {
  const answer = await started.send({
    method: 'POST',
    url: '/v2/members/login',
    headers: { 'x-app-id': started.services.config.appId, 'content-type': 'application/json' },
    payload: many(23_000, '1'),
  })
  const problem = answer.json<Problem>()
  expect([answer.statusCode, problem.code]).toEqual([400, 'validation_failed'])
  expect(problem.errors!.map(({ path, code }) => [path, code])).toEqual(
    Array.from({ length: 20 }, (_, n) => [`k${n}`, 'unknown']),
  )
})

test('a call that accepts any field refuses more than 200 unknown ones', async () => {
  const { id, token } = await aSignedInMember(started)
  const update = async (count: number) => {
    const answer = await started.send({
      method: 'POST',
      url: '/v2/members/FindOneAndUpdate',
      headers: {
        'x-app-id': started.services.config.appId,
        'x-access-token': token,
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ id, ...(JSON.parse(many(count, '1')) as object) }),
    })
    return [answer.statusCode, answer.json<Problem>().code, answer.json<Problem>().errors?.length]
  }
  expect(await update(200)).toEqual([403, 'forbidden', undefined])
  expect(await update(201)).toEqual([400, 'validation_failed', 20])
})

test('the time grows linearly with the body, whatever size the call allows', async () => {
  const actor = await aSignedInMember(started, everything)
  const timeOf = (count: number) =>
    processorTimeOf(async () => {
      for (const name of ['createKyc', 'createAnnouncement'] as const) {
        const answer = await send(name, many(count, '1'), actor, {})
        expect([[400, 413].includes(answer.status), answer.bytes < answerBytesMax]).toEqual([true, true])
      }
    })
  await timeOf(1000)
  expect(await timeOf(100_000)).toBeLessThan(timeMax)
})
