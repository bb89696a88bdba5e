import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR, SECOND } from '#contract/platform/durations.ts'
import { challengeLife, solutionOf, workHeader, type Work } from '#contract/platform/proof-of-work.ts'
import { goodPassword } from '#tests/builders.ts'
import { proofOf, solveWork } from '#tests/setup/solve-work.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { countOne } from '../rate-limits/rate-limit.ts'
import { makeChallenge } from './challenge.ts'
import { deleteExpiredWork } from './used-challenge.queries.ts'
import { triesAsked, triesAtFirst, triesMax } from './require-work.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const after = api.requestPasswordReset.proofOfWorkAfter!

let clients = 0
const aClient = () => `203.0.113.${(clients += 1)}`
/** Returns a /48 network. */
const aCustomer = () => `2001:db8:${(clients += 1).toString(16)}`
const anAddress = () => `somebody.${Math.random().toString(36).slice(2)}@example.com`

const askReset = (ip: string, headers: Record<string, string> = {}) =>
  call(api.requestPasswordReset, { body: { email: anAddress() } }, { ip, headers })

/** Returns a client that has used up its requests without a proof, and the challenge for its next request. */
async function aBusyClient(): Promise<{ ip: string; work: Work }> {
  const ip = aClient()
  const counted = { key: `work requestPasswordReset ${ip}`, max: after, window: HOUR }
  for (let done = 0; done < after; done += 1) await countOne(services.db, services.keys, counted)
  const { problem } = await askReset(ip)
  return { ip, work: problem.work! }
}

/** Returns a challenge that takes only a few tries, created `ago` milliseconds earlier. */
const anEasyChallenge = (
  client: string,
  ago = 0,
  of: 'requestPasswordReset' | 'createMember' = 'requestPasswordReset',
) => makeChallenge(services.keys, { call: of, client }, 64, Date.now() - ago)

test('asks for nothing below the soft limit; beyond it, a solved challenge lets the request through', async () => {
  const ip = aClient()
  const statuses = []
  for (let done = 0; done < after; done += 1) statuses.push((await askReset(ip)).status)
  expect(statuses).toEqual(Array(after).fill(202))
  const { status, problem, headers } = await askReset(ip)
  expect([status, problem.code]).toEqual([429, 'work_required'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(problem.work).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    parts: expect.any(Number),
    below: expect.any(Number),
  })
  expect((await askReset(ip, proofOf(problem.work!))).status).toBe(202)
  expect((await askReset(ip)).problem.code).toBe('work_required')
  expect((await askReset(aClient())).status).toBe(202)
})

test('says so in the reader’s language', async () => {
  const { ip } = await aBusyClient()
  const chinese = await askReset(ip, { 'accept-language': 'zh-CN' })
  expect(chinese.problem.message).toMatch(/机器人/)
  expect((await askReset(ip)).problem.message).toMatch(/robot/)
})

test('does nothing expensive before the proof: no password hash, no email', async () => {
  const ip = aClient()
  const signUp = () =>
    call(api.createMember, { body: { email: anAddress(), password: goodPassword } }, { ip })
  for (let done = 0; done < api.createMember.proofOfWorkAfter!; done += 1) await signUp()
  const hashed = vi.spyOn(services.passwords, 'hash')
  expect((await signUp()).problem.code).toBe('work_required')
  expect(hashed).not.toHaveBeenCalled()
  hashed.mockRestore()
})

test('reports invalid input before asking for work', async () => {
  const { ip } = await aBusyClient()
  const wrong = await call(api.requestPasswordReset, { body: { email: 'nobody' } }, { ip })
  expect(wrong.problem.code).toBe('validation_failed')
})

/** Two bits of the last of 43 characters are unused. */
function twinOf(challenge: string): string {
  const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
  const twins = others.map((last) => challenge.slice(0, -1) + last).filter((each) => each !== challenge)
  return twins.find((each) => Buffer.from(each, 'base64url').equals(Buffer.from(challenge, 'base64url')))!
}

test('a solution works once, and for nothing else', async () => {
  const { ip } = await aBusyClient()
  const other = await aBusyClient()
  // Every number below the first correct one is wrong, so there must be one.
  let easy = anEasyChallenge(ip)
  while (solveWork(easy)[0] === 0) easy = anEasyChallenge(ip)
  const proof = proofOf(easy)
  const [right = 0, ...rest] = solveWork(easy)
  const wrong = [right - 1, ...rest]
  const altered = Buffer.from(easy.challenge, 'base64url')
  altered.fill(0xff, 4, 8)
  const forged = Buffer.from(easy.challenge, 'base64url')
  forged.fill(1, 16)
  const longer = Buffer.from(easy.challenge, 'base64url')
  longer.writeUInt32BE(longer.readUInt32BE(0) + HOUR / SECOND, 0)
  const solved = (bytes: Buffer) => proofOf({ ...easy, challenge: bytes.toString('base64url') })
  const wrongWays: Record<string, [string, Record<string, string>]> = {
    'of another client': [other.ip, proof],
    'of another call': [ip, proofOf(anEasyChallenge(ip, 0, 'createMember'))],
    expired: [ip, proofOf(anEasyChallenge(ip, challengeLife + 2 * SECOND))],
    'of a harder one, made easy': [ip, solved(altered)],
    'with a signature of its own': [ip, solved(forged)],
    'with a later end': [ip, solved(longer)],
    'with a wrong number': [ip, { [workHeader]: solutionOf(easy.challenge, wrong) }],
    'without a number': [ip, { [workHeader]: solutionOf(easy.challenge, rest) }],
    'with more numbers': [ip, { [workHeader]: solutionOf(easy.challenge, [right, ...rest, 1]) }],
    'of the same bytes, spelled otherwise': [ip, proofOf({ ...easy, challenge: twinOf(easy.challenge) })],
    'no solution at all': [ip, { [workHeader]: 'please' }],
  }
  for (const [way, [from, headers]] of Object.entries(wrongWays)) {
    const { status, problem } = await askReset(from, headers)
    expect([way, status, problem.code]).toEqual([way, 429, 'work_required'])
  }
  expect((await askReset(ip, proof)).status).toBe(202)
  expect((await askReset(ip, proof)).problem.code).toBe('work_required')
})

test('of one solution at two instances at once, one is accepted', async () => {
  const second = await startAnotherInstance(started)
  const { ip } = await aBusyClient()
  for (let round = 0; round < 3; round += 1) {
    const headers = proofOf(anEasyChallenge(ip))
    const body = { email: anAddress() }
    const answers = await Promise.all(
      [started, second, started, second, second].map((each) =>
        each.call(api.requestPasswordReset, { body }, { ip, headers }),
      ),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
  }
})

test('a challenge of one instance can be solved at another', async () => {
  const second = await startAnotherInstance(started)
  const { ip, work } = await aBusyClient()
  const body = { email: anAddress() }
  const answer = await second.call(api.requestPasswordReset, { body }, { ip, headers: proofOf(work) })
  expect(answer.status).toBe(202)
})

test('concurrent requests pass no more often than sequential ones', async () => {
  const ip = aClient()
  const answers = await Promise.all(Array.from({ length: 2 * after }, () => askReset(ip)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(after)
})

test('the difficulty grows with each challenge, solved or not, up to a limit', async () => {
  const { ip, work } = await aBusyClient()
  const next: number[] = [work.below]
  for (let asked = 0; asked < 5; asked += 1) next.push((await askReset(ip)).problem.work!.below)
  expect(next).toEqual([...new Set(next)].toSorted((a, b) => b - a))
  expect(triesAsked({ over: 1, clients: 0 })).toBe(triesAtFirst)
  expect(triesAsked({ over: 1, clients: 200 })).toBe(5 * triesAtFirst)
  expect(triesAsked({ over: 1_000_000, clients: 1_000_000 })).toBe(triesMax)
})

const countRows = async (table: 'throttle' | 'spent_work') =>
  Number(
    (
      await services.db
        .selectFrom(table)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

test('requesting endless challenges gains nothing, affects no one else, and locks no one out', async () => {
  const { ip } = await aBusyClient()
  const before = (await aBusyClient()).work.below
  const rows = [await countRows('throttle'), await countRows('spent_work')]
  for (let asked = 0; asked < 200; asked += 1) expect((await askReset(ip)).status).toBe(429)
  expect([await countRows('throttle'), await countRows('spent_work')]).toEqual(rows)
  const { work } = await aBusyClient()
  // The number of clients over their limit rose by one, which is this client itself.
  expect(work.below / before).toBeGreaterThan(0.95)
  expect((await askReset(ip, proofOf(anEasyChallenge(ip)))).status).toBe(202)
})

test('the endpoint’s limit applies after proofs, and only proved requests use it up', async () => {
  const { ip } = await aBusyClient()
  const answers = []
  for (let proved = 0; proved < 21; proved += 1)
    answers.push(await askReset(ip, proofOf(anEasyChallenge(ip))))
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(202), 429])
  expect(answers.at(-1)!.problem.code).toBe('rate_limited')
})

test('a rejected request costs at most two statements, whatever its proof', async () => {
  const { ip } = await aBusyClient()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const wrong = solutionOf(anEasyChallenge('203.0.113.99').challenge, Array<number>(16).fill(0))
  for (const headers of [{}, { [workHeader]: wrong }]) {
    query.mockClear()
    expect((await askReset(ip, headers)).problem.code).toBe('work_required')
    expect(query.mock.calls.length).toBeLessThanOrEqual(2)
  }
})

test('others are served before a client that asks endlessly', async () => {
  const { ip } = await aBusyClient()
  let answered = 0
  const flood = Array.from({ length: 300 }, async () => {
    const { status } = await askReset(ip)
    answered += 1
    return status
  })
  const other = await call(api.readAmbassadorStatus, { body: { code: 'no-such-code' } }, { ip: aClient() })
  expect(other.problem.code).toBe('code_invalid')
  expect(answered).toBeLessThan(150)
  expect((await Promise.all(flood)).filter((status) => ![429, 503].includes(status))).toEqual([])
})

test('many networks of one customer count as one', async () => {
  const customer = aCustomer()
  const networks = Array.from({ length: 6 }, (_, network) => `${customer}:${network}::1`)
  const before = (await aBusyClient()).work.below
  for (const ip of networks) for (let done = 0; done <= after; done += 1) await askReset(ip)
  const { work } = await aBusyClient()
  // Two more clients are over their limits: these networks, and the one that asks.
  expect(before / work.below).toBeLessThan(1 + 3 / 50)
})

test('the addresses of an IPv6 network are one client; its neighbors have a share each, with a total limit', async () => {
  const customer = aCustomer()
  const at = (network: number, host: number) => `${customer}:${network.toString(16)}::${host.toString(16)}`
  for (let host = 1; host <= after; host += 1) expect((await askReset(at(0, host))).status).toBe(202)
  expect((await askReset(at(0, 99))).problem.code).toBe('work_required')
  let served = after
  for (let network = 1; network < 60; network += 1)
    if ((await askReset(at(network, 1))).status === 202) served += 1
  expect(served).toBe(4 * after)
  expect((await askReset(`${aCustomer()}::1`)).status).toBe(202)
})

test('deletes used proofs when their challenges have expired, and not before', async () => {
  const { ip } = await aBusyClient()
  const proof = proofOf(anEasyChallenge(ip))
  expect((await askReset(ip, proof)).status).toBe(202)
  await deleteExpiredWork(services.db)
  expect((await askReset(ip, proof)).problem.code).toBe('work_required')
  await services.db
    .updateTable('spent_work')
    .set({ expires_at: new Date(0) })
    .execute()
  await deleteExpiredWork(services.db)
  expect(await countRows('spent_work')).toBe(0)
})

test('programs solve it as documented in the guide and the reference', async () => {
  const guide = readFileSync(new URL('../../../docs/how-to/keep-robots-out.md', import.meta.url), 'utf8')
  const source = /```js\n([\s\S]+?)\n```/.exec(guide)![1]!
  const page = await started.send({ method: 'GET', url: '/v2/docs' })
  expect(page.body).toContain(escapeHtml(source))
  const address = `data:text/javascript,${encodeURIComponent(source)}`
  const { solve } = (await import(/* @vite-ignore */ address)) as { solve: (work: Work) => string }
  const { ip } = await aBusyClient()
  expect((await askReset(ip, { [workHeader]: solve(anEasyChallenge(ip)) })).status).toBe(202)
})

test('if it is off, only the endpoints’ limits apply', async () => {
  const plain = await startApi({ PROOF_OF_WORK: 'off' })
  const statuses: number[] = []
  for (let done = 0; done < 21; done += 1) {
    const body = { email: anAddress() }
    const { status, problem } = await plain.call(api.requestPasswordReset, { body }, { ip: '203.0.113.250' })
    statuses.push(status)
    if (status !== 202) expect(problem.code).toBe('rate_limited')
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
})
