import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '#api/platform/db/database.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { TestMember } from '#tests/builders.ts'
import { approveCase } from '#tests/setup/approve-case.ts'
import { membersOf, withRunningDatabase } from '#tests/setup/running-database.ts'
import { startProduct, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const person = {
  firstName: 'Quetzalcoatl Zanzibar',
  country: 'Atlantis-on-Sea',
  dateOfBirth: '1947-08-19',
  ethAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  btcAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
}
const artist = 'Photographer Xochiquetzal'
const place = 'Ulaanbaatar-Timbuktu'

/** Noise, so that no two slices are equal and none occurs elsewhere by chance. */
const aPhoto = () =>
  sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#369',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 80 })
    .withExif({ IFD0: { Artist: artist, ImageDescription: place } })
    .toBuffer()

const asDataUrl = (bytes: Buffer) => `data:image/jpeg;base64,${bytes.toString('base64')}`

/**
 * Slices from the middle, where the image data is, because the headers and tables of different pictures are similar.
 */
const slicesOf = (name: string, bytes: Buffer): [string, Buffer][] =>
  [0.3, 0.45, 0.6, 0.75, 0.9].map((part) => {
    const at = Math.floor(bytes.length * part)
    return [`${name} at ${part}`, bytes.subarray(at, at + 32)]
  })

const headersOf = (token: string) => ({ 'x-access-token': token })
const get = (product: Product, path: string, token: string) =>
  fetch(`${product.url}/v2/${path}`, { headers: { 'x-app-id': defaultAppId, ...headersOf(token) } })

async function post<T>(product: Product, path: string, body: unknown, headers: Record<string, string>) {
  const answer = await product.post(path, body, headers)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Submits one photo in each way, has them viewed, reviewed, and approved, and exports everything. */
async function run(product: Product, member: TestMember, officer: TestMember) {
  const own = headersOf(member.token)
  const photos = { direct: await aPhoto(), ahead: await aPhoto(), phone: await aPhoto() }
  const ahead = await post<{ id: string }>(product, 'kyc/photos', { photo: asDataUrl(photos.ahead) }, own)
  const { link } = await post<{ link: string }>(product, 'kyc/handoff', { room: 3 }, own)
  const secret = randomBytes(32).toString('base64url')
  await post(product, 'kyc/handoff/open', { link, secret }, {})
  const sent = { photo: asDataUrl(photos.phone) }
  const phone = await post<{ id: string }>(product, 'kyc/handoff/photos', sent, { 'x-phone-secret': secret })
  const stored = async ({ id }: { id: string }) =>
    Buffer.from(await (await get(product, `kyc/photos/${id}`, member.token)).arrayBuffer())
  const cleaned = { ahead: await stored(ahead), phone: await stored(phone) }

  const photoUrls = [asDataUrl(photos.direct), `staged:${ahead.id}`, `staged:${phone.id}`]
  const body = { ...person, email: member.email, photoUrls }
  const { _id } = await post<{ _id: string }>(product, 'kyc/create', body, own)
  const bad = { ...body, photoUrls: [asDataUrl(photos.direct.subarray(0, 900))] }
  expect((await product.post('kyc/create', bad, own)).ok).toBe(false)
  for (const n of [0, 1, 2])
    expect((await get(product, `kyc/${_id}/photos/${n}`, officer.token)).status).toBe(200)
  await approveCase(product, _id, headersOf(officer.token))
  const archive = await get(product, 'members/export?format=zip', member.token)
  expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(cleaned.ahead.length)

  const pictures = new Map([
    ...Object.entries(photos).flatMap(([name, bytes]) => slicesOf(`photo ${name}`, bytes)),
    ...Object.entries(cleaned).flatMap(([name, bytes]) => slicesOf(`photo ${name}, cleaned`, bytes)),
    ['EXIF artist', Buffer.from(artist)] as const,
    ['EXIF place', Buffer.from(place)] as const,
  ])
  const credentials = new Map([
    ['link of the hand-off', Buffer.from(link)],
    ['secret of the phone', Buffer.from(secret)],
  ])
  return { pictures, credentials }
}

/** The secrets that must not be found, by the names used in reports. */
type Secrets = ReadonlyMap<string, Buffer>

/** Finds the secrets in bytes, in every encoding that a program could write: `name as form`. */
type Finder = (bytes: Buffer) => string[]

const prefixBytes = 3

/**
 * Base64 of the bytes at any position in a longer text: three alignments, without the characters that depend on
 * neighboring bytes.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
    return text.slice(shift === 0 ? 0 : shift + 1, -2)
  })
}

function formsOf(secret: Buffer): [form: string, bytes: Buffer][] {
  const base64 = base64Forms(secret).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  const hex = secret.toString('hex')
  const texts = [...new Set([...base64, hex, hex.toUpperCase()])]
  const wide = Buffer.from(secret.toString('latin1'), 'utf16le')
  return [
    ['itself', secret],
    ['UTF-16, little end first', wide],
    ['UTF-16, big end first', Buffer.from(wide).swap16()],
    ...texts.map((text): [string, Buffer] => ['base64 or hexadecimal', Buffer.from(text)]),
  ]
}

/** Scans the bytes once: a table of first bytes selects the positions to compare. */
function makeFinder(secrets: Secrets): Finder {
  const needles = new Map<number, { what: string; bytes: Buffer }[]>()
  const isBegun = new Uint8Array(1 << (8 * prefixBytes))
  for (const [name, secret] of secrets)
    for (const [form, bytes] of formsOf(secret)) {
      const prefix = bytes.readUIntBE(0, prefixBytes)
      isBegun[prefix] = 1
      needles.set(prefix, [...(needles.get(prefix) ?? []), { what: `${name} as ${form}`, bytes }])
    }
  return (bytes) => {
    const found = new Set<string>()
    let prefix = 0
    for (let at = 0; at < bytes.length; at += 1) {
      prefix = ((prefix << 8) | bytes[at]!) & 0xffffff
      if (isBegun[prefix] === 0 || at < prefixBytes - 1) continue
      const start = at - prefixBytes + 1
      for (const { what, bytes: needle } of needles.get(prefix) ?? [])
        if (bytes.subarray(start, start + needle.length).equals(needle)) found.add(what)
    }
    return [...found]
  }
}

/** Searches every file in the folder, including those of the database and its write-ahead log: `file: name as form`. */
async function findInFiles(folder: string, find: Finder): Promise<{ found: string[]; bytes: number }> {
  const found: string[] = []
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    bytes += content.length
    found.push(...find(content).map((what) => `${relative(folder, path)}: ${what}`))
  }
  return { found, bytes }
}

/** Searches every column of every table, as text and, if it is binary, as bytes: `table.column: name as form`. */
async function findInDatabase(db: Database, find: Finder): Promise<{ found: string[]; columns: number }> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public'`.execute(db)
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const [from, value] = [sql.ref(table), sql.ref(column)]
    const { rows } = await sql<{ text: string; raw: Buffer | null }>`
      select ${value}::text as text, ${type === 'bytea' ? value : sql`null`} as raw from ${from}
      where ${value} is not null`.execute(db)
    for (const { text, raw } of rows) {
      const whats = [...find(Buffer.from(text)), ...(raw ? find(raw) : [])]
      found.push(...whats.map((what) => `${table}.${column}: ${what}`))
    }
  }
  return { found, columns: columns.length }
}

test('what was submitted is nowhere in plaintext: not in the database, not in a file, not in a log', async () => {
  const dataDir = await makeTemporary('identity-plaintext')
  onTestFinished(() => removeTemporary(dataDir))
  const settings = { DEMO: 'off', STAFF_SECOND_FACTOR: 'optional', LOG_LEVEL: 'debug' }
  const product = await startProduct({ dataDir, settings })
  const [member] = await membersOf(dataDir, 1)
  const [officer] = await membersOf(dataDir, 1, { manage_finance: 2 })
  const { pictures, credentials } = await run(product, member!, officer!)
  const nowhere = makeFinder(new Map([...pictures, ...credentials]))
  const people = new Map(
    Object.entries({ ...person, email: member!.email }).map(([name, text]) => [name, Buffer.from(text)]),
  )
  const names = makeFinder(people)

  // Proves that the search works: the applicant's input is stored in the database, and only there.
  const kept = await withRunningDatabase(dataDir, (db) => findInDatabase(db, names))
  expect(kept.found).toContain('kyc_application.full_name: firstName as itself')
  expect(kept.columns).toBeGreaterThan(150)

  const inDatabase = await withRunningDatabase(dataDir, (db) => findInDatabase(db, nowhere))
  expect(inDatabase.found).toEqual([])
  expect((await findInFiles(dataDir, nowhere)).found).toEqual([])

  const logs = () => Buffer.from(product.output())
  expect(product.output()).toContain('kyc/create')
  expect([...nowhere(logs()), ...names(logs())]).toEqual([])

  // Base64 of the secret is recognized at every alignment within a longer text.
  for (const before of [3, 4, 5]) {
    const text = Buffer.concat([randomBytes(before), [...pictures.values()][0]!, randomBytes(7)])
    expect(nowhere(Buffer.from(text.toString('base64url')))).toHaveLength(1)
  }

  // Planted secrets are found: in a column of each kind, in a file, and in the write-ahead log.
  const [name, slice] = [...pictures][0]!
  await withRunningDatabase(dataDir, async (db) => {
    await sql`create table planted (note text, raw bytea, more jsonb)`.execute(db)
    await sql`insert into planted values (${`x${slice.toString('base64')}`}, ${slice}, ${JSON.stringify({ artist })}::jsonb)`.execute(
      db,
    )
    const { found } = await findInDatabase(db, nowhere)
    expect(found).toContain(`planted.note: ${name} as base64 or hexadecimal`)
    expect(found).toContain(`planted.raw: ${name} as itself`)
    expect(found).toContain('planted.more: EXIF artist as itself')
  })
  await writeFile(join(dataDir, 'planted.txt'), Buffer.from(`..${place}`, 'utf16le'))
  await writeFile(
    join(dataDir, 'planted.log'),
    `"${person.firstName} ${slice.toString('hex').toUpperCase()}"`,
  )
  expect(await product.stop()).toBe(0)
  const { found, bytes } = await findInFiles(dataDir, nowhere)
  expect(found).toContain('planted.txt: EXIF place as UTF-16, little end first')
  expect(found).toContain(`planted.log: ${name} as base64 or hexadecimal`)
  expect(found.filter((each) => /pg_wal/.test(each))).toContainEqual(
    expect.stringContaining(`${name} as itself`),
  )
  const isOfPlanted = (each: string) => /^planted|pg_wal|\/base\//.test(each)
  expect(found.filter((each) => !isOfPlanted(each))).toEqual([])
  expect(bytes).toBeGreaterThan(16 * 1024 * 1024)
  expect(names(Buffer.from(`..${person.firstName}`))).toEqual(['firstName as itself'])
})
