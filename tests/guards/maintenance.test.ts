import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { apiBase } from '#api/app.ts'
import { startMaintenance } from '#api/maintenance/switch-maintenance.ts'
import { api, type EndpointName } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { startAnotherInstance, startApi, type Answered, type CallOptions } from '#tests/setup/start-api.ts'
import { aStoredMember, rightsOf } from './access/members-in-stock.ts'
import { expectations } from './access/expectations.ts'
import { requests } from './access/requests.ts'

const names = Object.keys(api) as EndpointName[]
const endpointOf = (name: EndpointName): Endpoint => api[name]
const namesOf = (kind: Endpoint['inMaintenance']) =>
  names.filter((name) => endpointOf(name).inMaintenance === kind).toSorted()

/** The only calls besides GET that maintenance doesn't refuse, by reason. */
const answered = {
  reads: [
    'checkOfficial',
    'findApp',
    'findKyc',
    'findMember',
    'findMembers',
    'findOrders',
    'findOwnOrderByAddress',
    'listKycOfMember',
    'readAmbassadorStatus',
  ],
  session: [
    'beginPasskeySignIn',
    'beginStepUp',
    'checkStepUp',
    'finishPasskeySignIn',
    'restoreSession',
    'signIn',
    'signOut',
    'stepUp',
  ],
  switch: ['setMaintenance'],
} as const
/** GET calls that change something, so that maintenance refuses them. */
const refusedGets = ['activateMember', 'exportPayoutFile']

/** What reading writes besides the audit log entries of `auditsAccess`, by reason. A read-only database refuses it. */
const written = {
  'a count for a rate limit': [
    'checkOfficial',
    'exportChannels',
    'exportNewsroomPosts',
    'exportSettingVersions',
    'findOwnOrderByAddress',
    'readAmbassadorStatus',
    'readPreview',
  ],
  'an audit log entry of its own': ['exportMember', 'exportRecord'],
  'the signing key, if there is none yet': ['exportRecordHead', 'readOfficialList'],
  'nothing that lasts, because it is rolled back': ['previewErasure'],
}

test('the exceptions from what maintenance refuses are these', () => {
  for (const kind of ['reads', 'session', 'switch'] as const) expect(namesOf(kind)).toEqual(answered[kind])
  expect(namesOf('refused')).toEqual(refusedGets)
})

test('during maintenance, every call is refused, with or without credentials, unless it is an exception', async () => {
  const { app, services } = await startApi()
  await startMaintenance(services.db, { actorId: null, until: null })
  await services.maintenance.reload()
  const wrong: string[] = []
  for (const name of names) {
    const { method, path } = endpointOf(name)
    const answer = await app.inject({ method, url: apiBase + path.replaceAll(/:\w+/g, 'x') })
    const isException = Object.values(answered).some((list) => (list as readonly string[]).includes(name))
    const isRefused = method === 'GET' ? refusedGets.includes(name) : !isException
    const code = answer.statusCode === 503 ? answer.json<{ code: string }>().code : 'none'
    if (code !== (isRefused ? 'maintenance' : 'none')) wrong.push(`${name}: ${code}`)
  }
  expect(wrong).toEqual([])
})

test('calls that maintenance answers as reading change nothing but the audit log', async () => {
  const started = await startApi({}, afterAll)
  const reading = names.filter(
    (name) =>
      endpointOf(name).inMaintenance === 'reads' ||
      (endpointOf(name).method === 'GET' && !refusedGets.includes(name)),
  )
  const prepared: { name: EndpointName; input: CallOf<Endpoint>; carried: CallOptions }[] = []
  for (const name of reading) {
    const role = expectations[name].may.at(-1)!
    const actor = await aStoredMember(started, rightsOf[role])
    const owner = role === 'owner' ? actor : await aStoredMember(started)
    const input = (await requests[name]({ started, actor, owner })) as CallOf<Endpoint>
    const carried = {
      ip: actor.ip,
      token: actor.token,
      cookies: actor.cookies,
      headers: { 'x-xsrf-token': actor.cookies['XSRF-TOKEN']! },
    }
    prepared.push({ name, input, carried })
  }
  // Connections that are opened from now on refuse changes, as those to a replica do.
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(started.services.db)
  await sql`alter database ${sql.id(rows[0]!.name)} set default_transaction_read_only = on`.execute(
    started.services.db,
  )
  const readOnly = await startAnotherInstance(started)
  const wrong: string[] = []
  let succeeded = 0
  for (const { name, input, carried } of prepared) {
    const send = (): Promise<Answered<unknown>> => readOnly.call(api[name], input, carried)
    const first = await send()
    // A refused write closes its connection, so that the next one is to the new primary.
    const { status, problem } =
      first.status < 300 || first.problem.code === 'maintenance' ? first : await send()
    const { auditsAccess, auditsItself } = endpointOf(name)
    const mayWrite =
      (auditsAccess ?? auditsItself) !== undefined || Object.values(written).flat().includes(name)
    if (status < 300) succeeded += 1
    else if (problem.code === 'maintenance' ? !mayWrite : status !== 404)
      wrong.push(`${name}: ${problem.code}`)
  }
  expect(succeeded).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
