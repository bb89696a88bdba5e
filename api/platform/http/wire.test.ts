import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { errorStatuses, type Problem, type ErrorCode } from '#contract/platform/errors.ts'
import { anEmail, aSignedInMember, goodPassword, signUp } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const officer = await aSignedInMember(started, { manage_employee: 2, manage_finance: 2, manage_news: 2 })

type Send = {
  method?: string
  payload?: string | Buffer
  type?: string | undefined
  token?: string
  headers?: Record<string, string>
}

/** Sends a request as raw bytes; without a `type` there is no content type. */
async function send(path: string, { method, payload, type, token, headers }: Send = {}) {
  const answer = await started.send({
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    url: path.startsWith('/') ? path : `/v2/${path}`,
    headers: {
      'x-app-id': defaultAppId,
      'x-access-token': token ?? officer.token,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  })
  return answer
}

const json = (path: string, payload: string | Buffer, more: Send = {}) =>
  send(path, { payload, type: 'application/json', ...more })

function expectProblem(answer: Awaited<ReturnType<typeof send>>, code: ErrorCode): Problem {
  expect(answer.statusCode).toBe(errorStatuses[code])
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  const problem = answer.json<Problem>()
  expect(problem).toMatchObject({ code, status: errorStatuses[code], message: problem.detail })
  expect(Object.keys(problem).toSorted()).toEqual(
    ['code', 'detail', 'errors', 'message', 'status', 'title', 'type'].filter((key) => key in problem),
  )
  return problem
}

test.each([
  ['cut short', '{"email":'],
  ['followed by something', '{"email":"a@example.org"} x'],
  ['with a comment', '{} // x'],
  ['not a JSON number', '{"amount":NaN}'],
  ['single quotes', "{'a':1}"],
  ['bad UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['UTF-16', Buffer.from('{"email":"a@example.org"}', 'utf16le')],
  ['opened 40,000 times and never closed', '{"a":'.repeat(40_000)],
])('a body that is not JSON is malformed: %s', async (_, payload) => {
  expectProblem(await json('members/login', payload), 'malformed_json')
})

test.each([
  '',
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  '[[[]]]',
  '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
])('JSON with another shape than in the contract is refused (%#)', async (payload) => {
  expectProblem(await json('members/login', payload), 'validation_failed')
})

test.each([
  '{"toString":null}',
  '{"valueOf":1,"hasOwnProperty":2}',
  '{"__proto__":{"isWriteAccessAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"email":{"toString":null}}',
  '{"email":["a@example.org"],"password":{}}',
  '{"email":{"$ne":null},"password":{"$ne":null}}',
  '{"email":"a@example.org\\u0000","password":"\\u0000"}',
  `{"email":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
])('a hostile body is refused field by field (%#)', async (payload) => {
  const problem = expectProblem(await json('members/login', payload), 'validation_failed')
  expect(problem.errors!.length).toBeGreaterThan(0)
  expect(({} as Record<string, unknown>)['isWriteAccessAdmin']).toBeUndefined()
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  undefined,
])('a body of another media type is refused: %s', async (type) => {
  expectProblem(await send('members/login', { payload: '{}', type }), 'unsupported_media_type')
})

test('accepts the media type in any case and with parameters', async () => {
  const payload = JSON.stringify({ email: anEmail() })
  for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
    expect((await send('members/resendactivation', { payload, type })).statusCode).toBe(202)
})

test('refuses a body that is too large: 256 KiB, posts 2 MiB, identity documents 90 MiB', async () => {
  const bodyOf = (bytes: number) => '"' + 'x'.repeat(bytes - 2) + '"'
  const [KIB, MIB] = [1024, 1024 * 1024]
  expectProblem(await json('members/login', bodyOf(256 * KIB + 1)), 'payload_too_large')
  expectProblem(await json('members/login', bodyOf(256 * KIB)), 'validation_failed')
  expectProblem(await json('announcements/create', bodyOf(2 * MIB + 1)), 'payload_too_large')
  expectProblem(await json('announcements/create', bodyOf(2 * MIB)), 'validation_failed')
  const announced = { headers: { 'content-length': String(90 * MIB + 1) } }
  expectProblem(await json('kyc/create', '{}', announced), 'payload_too_large')
})

test('refuses unauthorized callers before reading the body', async () => {
  const huge = 'x'.repeat(3 * 1024 * 1024)
  expectProblem(await json('kyc/create', huge, { token: '' }), 'unauthenticated')
  expectProblem(await json('announcements/create', huge, { token: 'no token' }), 'session_expired')
})

test.each([
  '/v2',
  '/v2/',
  '/v2/nothing',
  '/v2/members/a/b/c',
  '/v2//members/',
  '/v2/%',
  '/v2/members/%ff',
  '/%c0%af',
  '/v2/members/%00',
  '/v2/members/' + 'x'.repeat(2000),
])('an unknown address is 404 (%#)', async (path) => {
  expectProblem(await send(path), 'not_found')
})

test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is not a method of any call',
  async (method) => {
    const email = anEmail()
    const { code } = await signUp(started, email)
    const answer = await send(`members/activation/${email}/${code}`, { method })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('GET')
    const { active } = await started.services.db
      .selectFrom('member')
      .select('active')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(active).toBe(false)
  },
)

test('a trailing slash makes no difference', async () => {
  const body = { email: officer.email, password: goodPassword }
  for (const path of ['members/login', 'members/login/'])
    expect((await json(path, JSON.stringify(body))).statusCode).toBe(200)
  expect((await send('members')).json()).toEqual((await send('members/')).json())
})

test('accepts the longest email address in the path', async () => {
  const email = `${'l'.repeat(64)}@${`${'d'.repeat(61)}.`.repeat(3)}org`
  const { code } = await signUp(started, email)
  const answer = await started.call(api.activateMember, { params: { email, code } })
  expect([answer.status, answer.body]).toEqual([200, true])
})

test.each([
  ['no cursor at all', 'zzz'],
  ['a time that does not exist', encoded('2026-99-99T99:99:99.999Z x')],
  ['the year 0', encoded('0000-01-01T00:00:00.000Z x')],
  ['no id', encoded('2026-01-01T00:00:00.000Z')],
  ['NUL', encoded('2026-01-01T00:00:00.000Z x\0')],
  ['SQL', encoded("2026-01-01T00:00:00.000Z ') or 1=1 --")],
])('a made-up cursor is harmless: %s', async (_, cursor) => {
  for (const list of ['members/', 'icotx/', 'kyc/', 'announcements/en'])
    expect((await send(`${list}?after=${cursor}`)).statusCode).toBe(200)
})

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=x',
  'limit=1&limit=2',
  'after=a&after=b',
  'offset=3',
  `after=${'x'.repeat(201)}`,
])('a list refuses an invalid page (%#)', async (query) => {
  expectProblem(await send(`members/?${query}`), 'validation_failed')
})

test('the pages of a list, followed by their Link headers, contain every row once, newest first', async () => {
  const { db } = started.services
  const members = Array.from({ length: 25 }, (_, n) => ({
    email: `paged${n}@example.org`,
    display_name: 'Paged',
    // Several in the same millisecond, so that the ID decides.
    created_at: new Date(1_700_000_000_000 + Math.floor(n / 4)),
  }))
  await db.insertInto('member').values(members).execute()
  const seen: { email: string; memberSince: string }[] = []
  let path: string | undefined = '/v2/members/find?limit=4'
  let pages = 0
  while (path) {
    const answer = await json(path, '{"displayName":"Paged"}')
    seen.push(...answer.json<typeof seen>())
    pages += 1
    path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  expect(pages).toBe(7)
  expect(seen.map(({ email }) => email).toSorted()).toEqual(members.map(({ email }) => email).toSorted())
  expect(seen.map(({ memberSince }) => memberSince)).toEqual(
    seen
      .map(({ memberSince }) => memberSince)
      .toSorted()
      .toReversed(),
  )
})

test('a list has twenty rows by default', async () => {
  const members = Array.from({ length: 21 }, () => ({ email: anEmail() }))
  await started.services.db.insertInto('member').values(members).execute()
  expect((await send('members/')).json()).toHaveLength(20)
})

test('a refusal is in the reader’s language and keeps its code', async () => {
  const messages = await Promise.all(
    ['en', 'zh-CN,zh;q=0.9,en;q=0.8', 'de', 'en;q=0.1, zh-Hant', ''].map(async (language) => {
      const answer = await json('members/login', '{}', { headers: { 'accept-language': language } })
      return expectProblem(answer, 'validation_failed')
    }),
  )
  expect(messages.map(({ message }) => /\p{Script=Han}/u.test(message))).toEqual([
    false,
    true,
    false,
    true,
    false,
  ])
  for (const { errors } of messages)
    expect(errors!.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'email required',
      'password required',
    ])
  expect(messages[1]!.errors![0]!.message).toMatch(/\p{Script=Han}/u)
})

test('a server error reveals nothing about its cause', async () => {
  const broken = await startApi()
  await broken.services.db.schema.dropTable('app').execute()
  const answer = await broken.call(api.findApp, { body: { fullName: "x' or 1=1" } })
  expect(answer).toMatchObject({ status: 500, problem: { code: 'unexpected' } })
  expect(JSON.stringify(answer.problem)).not.toMatch(/relation|app"|select|\.ts|node|42P01/i)
})

test('without its database the API asks to retry, and its health call still works', async () => {
  const cut = await startApi()
  await cut.services.db.destroy()
  cut.services.lifecycle.isStopping = true
  const ready = await cut.call(api.checkReadiness, {})
  expect(ready).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
  expect(Number(ready.headers['retry-after'])).toBeGreaterThan(0)
  expect((await cut.call(api.checkHealth, {})).status).toBe(200)
})

test('no answer can be cached, sniffed, framed, or executed', async () => {
  for (const path of ['health', 'announcements/en', `members/${officer.id}`]) {
    const { headers } = await send(path)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(Object.keys(headers).join(' ')).not.toMatch(/powered|server|access-control/i)
  }
})

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url')
}
