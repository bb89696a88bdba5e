import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDiskStore } from '#api/platform/files/file-store.ts'
import { removePendingFiles } from '#api/platform/pending-files/pending-file.queries.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { anApplicant, aPicture, type TestMember } from '#tests/builders.ts'
import { membersOf, withRunningDatabase } from '#tests/setup/running-database.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

/** The full test is `KILL_ROUNDS=100` and takes several minutes. An ordinary run has fewer rounds. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 10)
const writers = 3
/** Part of every application. It must not be readable anywhere. */
const plaintext = 'Zanzibar Quetzalcoatl'

type Acknowledged = Map<string, 'submitted' | 'rejected'>

/** Stages a photo, submits it with another one, and has the application decided, until the process is killed. */
async function write(product: Product, members: TestMember[], officer: TestMember, known: Acknowledged) {
  for (let member = members.pop(); member; member = members.pop()) {
    if (!(await writeOnce(product, member, officer, known))) return
  }
}

/** False once the process has been killed. */
async function writeOnce(
  product: Product,
  member: TestMember,
  officer: TestMember,
  known: Acknowledged,
): Promise<boolean> {
  const own = { 'x-access-token': member.token }
  try {
    const staged = await product.post('kyc/photos', { photo: await aPicture() }, own)
    const { id } = (await staged.json()) as { id: string }
    const body = {
      ...anApplicant(member.email),
      country: plaintext,
      photoUrls: [`staged:${id}`, await aPicture('png')],
    }
    const created = await product.post('kyc/create', body, own)
    if (created.status !== 201) return true
    const { _id } = (await created.json()) as { _id: string }
    known.set(_id, 'submitted')
    const token = { 'x-access-token': officer.token }
    const refusal = { id: _id, status: 'rejected', reason: 'Unreadable.' }
    const decided = await product.post('kyc/update', refusal, token)
    if (decided.status === 200) known.set(_id, 'rejected')
    return true
  } catch {
    return false
  }
}

test(
  `${rounds} rounds of kill -9 under submissions and decisions leave every acknowledged one whole and no orphan`,
  { timeout: 1_800_000 },
  async () => {
    const dataDir = await makeTemporary('identity-kill')
    onTestFinished(() => removeTemporary(dataDir))
    const settings = {
      DEMO: 'off',
      STAFF_SECOND_FACTOR: 'optional',
      LOG_LEVEL: 'info',
      PORT: String(await freePort()),
    }
    const first = await startProduct({ dataDir, settings })
    const members = await membersOf(dataDir, rounds * writers * 6)
    const [officer] = await membersOf(dataDir, 1, { manage_finance: 2 })
    await first.stop()

    const known: Acknowledged = new Map()
    let logs = ''
    for (let round = 0; round < rounds; round += 1) {
      const product = await startProduct({ dataDir, settings })
      // The decoder process is started by the first uploaded picture.
      await writeOnce(product, members.pop()!, officer!, known)
      const writing = Array.from({ length: writers }, () => write(product, members, officer!, known))
      await new Promise((resolve) => setTimeout(resolve, 10 + ((round * 37) % 29) * 25))
      await stop(product.process, 'SIGKILL')
      await Promise.all(writing)
      logs += product.output()
    }

    const last = await startProduct({ dataDir, settings })
    onTestFinished(async () => void (await last.stop()))
    const [stored, waiting] = await withRunningDatabase(dataDir, async (db) => {
      await removePendingFiles(db, openDiskStore(join(dataDir, 'files')), 0, 10_000)
      const staged = await db.selectFrom('kyc_staged_photo').select('file_key').execute()
      const photos = await db.selectFrom('kyc_photo').select(['file_key', 'application_id', 'n']).execute()
      return [photos, staged]
    })
    const names = await readdir(join(dataDir, 'files', 'kyc'))
    expect(names.map((name) => `kyc/${name}`).toSorted()).toEqual(
      [...stored, ...waiting].map(({ file_key }) => file_key).toSorted(),
    )

    const headers = { 'x-app-id': defaultAppId, 'x-access-token': officer!.token }
    for (const { application_id, n } of stored) {
      const answer = await fetch(`${last.url}/v2/kyc/${application_id}/photos/${n}`, { headers })
      expect(answer.status).toBe(200)
      const { format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect(format).toBe('jpeg')
    }
    const lost: string[] = []
    for (const [id, status] of known) {
      const answer = await fetch(`${last.url}/v2/kyc/${id}`, { headers })
      const record = (await answer.json()) as { status: string; photoCount: number }
      const isAsTold = status === 'submitted' || record.status === 'rejected'
      if (
        !isAsTold ||
        record.photoCount !== 2 ||
        stored.filter((photo) => photo.application_id === id).length !== 2
      )
        lost.push(id)
    }
    expect(lost).toEqual([])
    expect(known.size).toBeGreaterThan(rounds / 2)
    for (const name of names)
      expect((await readFile(join(dataDir, 'files', 'kyc', name))).includes('JFIF')).toBe(false)
    expect(logs).not.toContain(plaintext)
    console.log(
      `${known.size} applications acknowledged in ${rounds} kills, ${stored.length} photos readable, 0 lost, 0 orphans`,
    )
  },
)
