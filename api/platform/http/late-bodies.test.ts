import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { db, config } = started.services
beforeAll(() => started.app.listen({ host: '127.0.0.1', port: 0 }))

/** Sends the last byte of the body after an event, a little more than a second after the headers. */
async function hold(member: TestMember, path: string, body: object, meanwhile: () => Promise<unknown>) {
  const { port } = started.app.server.address() as AddressInfo
  const text = JSON.stringify({ ...body, appId: config.appId })
  const sent = request(`http://127.0.0.1:${port}/v2/${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-app-id': config.appId,
      'x-access-token': member.token,
    },
  })
  const answer = new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      let received = ''
      response.on('data', (part: Buffer) => (received += part.toString()))
      response.on('end', () => {
        const { code } = JSON.parse(received) as { code?: string }
        resolve(code ?? String(response.statusCode))
      })
    })
  })
  sent.write(text.slice(0, -1))
  await pass(300)
  await meanwhile()
  await pass(1000)
  sent.end(text.slice(-1))
  return answer
}

const change = (table: { id: string }, set: Record<string, unknown>) =>
  db.updateTable('member').set(set).where('id', '=', table.id).execute()

test("a member whose account is closed or who loses the right during a slow body can't act", async () => {
  const target = await aSignedInMember(started)
  const rename = (by: TestMember, displayName: string, meanwhile: () => Promise<unknown>) =>
    hold(by, 'members/FindOneAndUpdate', { id: target.id, displayName }, meanwhile)
  const officer = () => aSignedInMember(started, { manage_employee: 2 })
  const [closed, withdrawn, unchanged] = [await officer(), await officer(), await officer()]
  expect(
    await Promise.all([
      rename(closed, 'by closed', () => change(closed, { active: false })),
      rename(withdrawn, 'by withdrawn', () => change(withdrawn, { manage_employee: 0 })),
    ]),
  ).toEqual(['session_expired', 'forbidden'])
  const { display_name } = await db
    .selectFrom('member')
    .select('display_name')
    .where('id', '=', target.id)
    .executeTakeFirstOrThrow()
  expect(display_name).toBe('')
  expect(await rename(unchanged, 'by an officer', async () => {})).toBe('200')
})

test('the same holds for a slow upload', async () => {
  const member = await aSignedInMember(started)
  const body = { ...anApplicant(member.email), photoUrls: [await aPicture()] }
  expect(await hold(member, 'kyc/create', body, () => change(member, { active: false }))).toBe(
    'session_expired',
  )
  expect(await db.selectFrom('kyc_application').selectAll().execute()).toEqual([])
})
