import { afterAll, describe, expect, test } from 'vitest'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { api, type EndpointName } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { startApi, type Answered, type CallOptions, type TestApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import type { StoredMember } from '#tests/stored-members.ts'
import { aStoredMember, rightsOf } from './access/members-in-stock.ts'
import { expectations } from './access/expectations.ts'
import { roles, type Role } from './access/permissions.ts'
import { requests } from './access/requests.ts'

const names = Object.keys(api) as EndpointName[]
const started = await startApi({}, afterAll)

type Sent = { input: CallOf<Endpoint>; carried: CallOptions }
type Attempt = Sent & { actorId: string }

/** A caller in the role, with their credentials. A stranger is a member too, but sends no credentials. */
async function anActor(
  started: TestApi,
  role: Role,
): Promise<{ member: StoredMember; carried: CallOptions }> {
  const { db } = started.services
  const member = await aStoredMember(started, rightsOf[role])
  if (role === 'expired') {
    await db.deleteFrom('session').where('member_id', '=', member.id).execute()
  }
  if (role === 'inactive') await updateMemberRow(db, member.id, { active: false })
  const carried: CallOptions = {
    ip: member.ip,
    token: member.token,
    cookies: member.cookies,
    headers: { 'x-xsrf-token': member.cookies['XSRF-TOKEN']! },
  }
  return { member, carried: role === 'stranger' ? { ip: member.ip } : carried }
}

/** Creates everything that the role needs for the request, and the request's input. */
async function prepare(on: TestApi, name: EndpointName, role: Role): Promise<Attempt> {
  const { member, carried } = await anActor(on, role)
  const isActorsOwn = role === 'owner'
  const owner = isActorsOwn ? member : await aStoredMember(on)
  const input = await requests[name]({ started: on, actor: member, owner }).catch((error: unknown) => {
    throw new Error(`${name} could not be prepared for ${role}`, { cause: error })
  })
  return { input: input as CallOf<Endpoint>, carried, actorId: member.id }
}

/**
 * Deactivates the actors of requests that are not repeated. Otherwise hundreds of staff would be emailed about each
 * change that the product reports to all of them, which took a good part of the matrix's time.
 */
async function retire(attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  const ids = attempts.map(({ actorId }) => actorId)
  await started.services.db.updateTable('member').set({ active: false }).where('id', 'in', ids).execute()
}

const send = (on: TestApi, name: EndpointName, { input, carried }: Sent): Promise<Answered<unknown>> =>
  on.call(api[name], input, carried)

const succeeding = (on: TestApi, name: EndpointName) => prepare(on, name, expectations[name].may[0]!)

/** For requests that are rejected before anything happens, so that they can share what was prepared. */
const prepared = new Map<EndpointName, Promise<Attempt>>()
function refused(name: EndpointName): Promise<Attempt> {
  const attempt = prepared.get(name) ?? succeeding(started, name)
  prepared.set(name, attempt)
  return attempt
}

const withoutRight = new Map<Role, ReturnType<typeof anActor>>()
/** Uses the role's credentials for something that only another role can do. An owner's own record needs the owner. */
async function prepareRefused(name: EndpointName, role: Role): Promise<Attempt> {
  if (role === 'owner') return prepare(started, name, role)
  const actor = withoutRight.get(role) ?? anActor(started, role)
  withoutRight.set(role, actor)
  const { member, carried } = await actor
  return { input: (await refused(name)).input, carried, actorId: member.id }
}

const outcomeOf = ({ status, problem }: Answered<unknown>) => (status < 300 ? status : problem.code)

function expectedOf(name: EndpointName, role: Role): string | number {
  const { may, success, otherwise } = expectations[name]
  if (may.includes(role)) return success
  if (role === 'stranger') return 'unauthenticated'
  if (role === 'expired' || role === 'inactive') return 'session_expired'
  return otherwise ?? 'forbidden'
}

/** Returns whether the contract's `access` admits the role, implemented independently. */
function isAdmitted(name: EndpointName, role: Role): boolean {
  const access: Endpoint['access'] = api[name].access
  if (access.who === 'anyone' || access.who === 'phone') return true
  if (['stranger', 'expired', 'inactive'].includes(role)) return false
  if (access.who !== 'staff') return true
  if (role === 'owner') return access.orSelf
  if (access.level === 'any') return role !== 'other'
  if (access.level === 'support')
    return (
      role === 'admin' ||
      [1, 2].some((at) => at >= access.atLeast && [`employee${at}`, `finance${at}`].includes(role))
    )
  if (role === 'admin') return ['news', 'employee', 'admin'].includes(access.level)
  return role === `${access.level}2` || (access.atLeast === 1 && role === `${access.level}1`)
}

test('every endpoint is in the table, with its method, path and status', () => {
  const table = Object.entries(expectations).map(([name, { call, success }]) => [name, call, success])
  const contract = names.map((name) => [name, `${api[name].method} ${api[name].path}`, api[name].status])
  expect(table.toSorted()).toEqual(contract.toSorted())
})

test('the contract’s access admits whom the table admits', () => {
  const differences = names.flatMap((name) =>
    roles
      .filter(
        (role) =>
          isAdmitted(name, role) !== expectations[name].may.includes(role) &&
          expectations[name].otherwise === undefined,
      )
      .map((role) => `${name} ${role}`),
  )
  expect(differences).toEqual([])
})

describe('every role gets what the table says from', () => {
  test.for(names)('%s', async (name) => {
    const outcomes: Record<string, unknown> = {}
    const finished: Attempt[] = []
    for (const role of roles) {
      const mayDo = expectations[name].may.includes(role)
      const attempt = mayDo ? await prepare(started, name, role) : await prepareRefused(name, role)
      outcomes[role] = outcomeOf(await send(started, name, attempt))
      if (mayDo) finished.push(attempt)
    }
    await retire(finished)
    expect(outcomes).toEqual(Object.fromEntries(roles.map((role) => [role, expectedOf(name, role)])))
  })
})

test('where a second factor is demanded, no staff level acts without one', async () => {
  const strict = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const staffCalls = names.filter((name) => api[name].access.who === 'staff')
  const actors = new Map<Role, ReturnType<typeof anActor>>()
  const outcomes: string[] = []
  for (const name of staffCalls) {
    // Nothing happens, so every role can send the same request.
    const { input } = await succeeding(strict, name)
    for (const role of expectations[name].may.filter((each) => each !== 'owner')) {
      const actor = actors.get(role) ?? anActor(strict, role)
      actors.set(role, actor)
      const { carried } = await actor
      outcomes.push(`${name} ${outcomeOf(await send(strict, name, { input, carried }))}`)
    }
  }
  expect(new Set(outcomes.map((outcome) => outcome.split(' ')[1]))).toEqual(new Set(['second_factor_needed']))
  expect(new Set(outcomes.map((outcome) => outcome.split(' ')[0]))).toEqual(new Set(staffCalls))
})

/** Only some requests to them require step-up authentication, and the matrix sends others. */
const sometimes: readonly EndpointName[] = [
  'changePassword',
  'createKyc',
  'createOrder',
  'decideKycCase',
  'eraseMember',
  'importOrderPayments',
  'publishContent',
  'revokeApiToken',
  'scheduleContent',
  'updateKyc',
  'updateMember',
]

test('where the contract names step-up authentication, the handler requires it', async () => {
  const demanding = names.filter((name) => (api[name] as Endpoint).errors.includes('step_up_required'))
  // In an installation of its own, because every session's proof expires.
  const own = await startApi()
  const open: string[] = []
  for (const name of demanding) {
    const { input, carried } = await succeeding(own, name)
    await letProofAge(own)
    if (outcomeOf(await send(own, name, { input, carried })) !== 'step_up_required') open.push(name)
  }
  expect(open.toSorted()).toEqual(sometimes)
})

describe('an attempt that would succeed', () => {
  const posts = names.filter((name) => api[name].method === 'POST')
  const withoutAppId = ['checkHealth', 'checkReadiness', 'findApp']

  test.for(names)('without x-app-id is refused: %s', async (name) => {
    const { input, carried } = await refused(name)
    for (const given of ['', 'ffffffffffffffffffffffff']) {
      const headers = { ...carried.headers, 'x-app-id': given }
      const answer = await send(started, name, { input, carried: { ...carried, headers } })
      if (withoutAppId.includes(name)) expect(answer.status).toBe(200)
      else expect(answer).toMatchObject({ status: 403, problem: { code: 'app_unknown' } })
    }
  })

  test.for(posts)('with another application id in the body is refused: %s', async (name) => {
    const { input, carried } = await refused(name)
    const body = { ...(input.body as object), appId: 'ffffffffffffffffffffffff' }
    const answer = await send(started, name, { input: { ...input, body }, carried })
    expect(answer).toMatchObject({ status: 400, problem: { code: 'app_mismatch' } })
  })

  test.for(posts)('with its application id in the body, too, succeeds: %s', async (name) => {
    const attempt = await succeeding(started, name)
    const body = { ...(attempt.input.body as object), appId: started.services.config.appId }
    const answer = await send(started, name, { ...attempt, input: { ...attempt.input, body } })
    await retire([attempt])
    expect(answer.status).toBe(expectations[name].success)
  })

  test.for(posts)('with a field that does not exist is refused: %s', async (name) => {
    const { input, carried } = await refused(name)
    for (const field of ['nothingOfTheKind', 'toString', 'constructor', '__proto__']) {
      // Parsed, because this is the only way to make `__proto__` an ordinary field.
      const body = { ...(input.body as object), ...(JSON.parse(`{"${field}":1}`) as object) }
      const answer = await send(started, name, { input: { ...input, body }, carried })
      const isForbidden = name === 'updateMember' && field !== '__proto__'
      expect({ field, status: answer.status, code: answer.problem.code }).toEqual({
        field,
        ...(isForbidden ? { status: 403, code: 'forbidden' } : { status: 400, code: 'validation_failed' }),
      })
    }
  })

  test.for(names.filter((name) => api[name].method !== 'GET'))(
    'from a foreign page is refused: %s',
    async (name) => {
      const { input, carried } = await refused(name)
      for (const foreign of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
      ] as Record<string, string>[]) {
        const headers = { ...carried.headers, ...foreign }
        const answer = await send(started, name, { input, carried: { ...carried, headers } })
        expect(answer).toMatchObject({ status: 403, problem: { code: 'xsrf_failed' } })
      }
    },
  )
})
