import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { sealAudit } from '#api/platform/audit/seal-audit.ts'
import { verifyAudit } from '#api/platform/audit/verify-audit.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import type { DumpHeader } from '#api/platform/db/dump-file.ts'
import { dumpDatabase } from '#api/platform/db/dump.ts'
import { migrateToLatest } from '#api/platform/db/migrate.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { withFingerprintKey } from '#api/platform/master-key/fingerprint-key.ts'
import { requireFittingKey } from '#api/platform/master-key/re-encrypt.ts'
import { listFrozenItems } from '#api/money/payouts/payout.queries.ts'
import { hashOf, textOfRun } from '#api/money/payouts/run-hash.rules.ts'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aFolder, makeDatabase } from '#tests/setup/backups.ts'
import { dropDatabase } from '#tests/setup/database-copy.ts'
import { withDatabase } from '#tests/setup/database-server.ts'
import { dropChecks, markerOf, plantRows, readColumns, type Column } from '#tests/setup/plant-rows.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { copyToDatabase, copyToFile } from './make-copy.ts'
import { rulesOf, scrubRules } from './scrub-rules.ts'

const password = 'a password of the copy'
const adminEmail = 'staging@example.org'
const adminOf = async ({ services }: TestApi) => ({
  email: adminEmail,
  passwordHash: await services.passwords.hash(password),
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {})
  onTestFinished(() => client.end())
  return client
}

async function makeDatabaseUntil(until: (end: () => Promise<void>) => void): Promise<string> {
  const { url } = inject('databaseServer')
  const server = new pg.Client({ connectionString: url })
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  await server.connect()
  await server.query(`create database ${name}`)
  await server.end()
  until(() => dropDatabase(withDatabase(url, name)))
  return withDatabase(url, name)
}

const textOf = (file: string) => gunzipSync(readFileSync(file)).toString('utf8')
const urlOf = ({ services }: TestApi) => services.config.databaseUrl!

describe('a copy of a planted database', () => {
  /** Their rows can't be planted: the database allows only one, which is there, or writes them itself. */
  const unplanted = [
    'app',
    'sale',
    'sale_sold',
    'sale_shown',
    'newsletter_pace',
    'member_summary',
    'member_words',
  ]

  async function planted() {
    const started = await startApi()
    const client = await connect(urlOf(started))
    const columns = await readColumns(client)
    await dropChecks(client)
    const member = await aSignedInMember(started, { is_write_access_admin: true })
    const texts = columns.filter(
      ({ table, column, type, refersTo }) =>
        table === 'member' && type === 'text' && refersTo === null && !/^(id|email)$/.test(column),
    )
    const set = texts.map(({ column }) => `${column} = 'planted member.${column}'`)
    await client.query(`update member set email = 'planted member.email', ${set.join(', ')}`)
    const fixed = { audit_entry: { hash: null, previous_hash: null }, announcement: { state: 'draft' } }
    await plantRows(client, columns, member.id, fixed, unplanted)
    return { started, client, columns }
  }

  /** All markers in a dump, also in columns with bytes. */
  const markersIn = (text: string): Set<string> => {
    const hex = Buffer.from('planted ').toString('hex')
    const bytes = Array.from(text.matchAll(RegExp(`${hex}[\\da-f]*`, 'g')), ([found]) =>
      Buffer.from(found, 'hex').toString(),
    )
    return new Set([...(text.match(/planted [\w.]*/g) ?? []), ...bytes])
  }

  test('contains no value of a replaced or emptied column, and every value of a kept one', async () => {
    const { started, columns } = await planted()
    const folder = await aFolder()
    await dumpDatabase(urlOf(started), join(folder, 'original'))
    await copyToFile(urlOf(started), join(folder, 'copy'), await adminOf(started))
    const isKept = ({ table, column }: Column) => {
      const rules = rulesOf(table)
      return rules !== 'emptied' && /^(?:keep|project|undefined)$/.test(String(rules[column]))
    }
    const original = markersIn(textOf(join(folder, 'original')))
    const kept = new Set(columns.filter(isKept).map(markerOf))
    expect(
      columns.filter((column) => !isKept(column) && original.has(markerOf(column))).length,
    ).toBeGreaterThan(200)
    expect(markersIn(textOf(join(folder, 'copy')))).toEqual(
      new Set([...original].filter((marker) => kept.has(marker))),
    )
  })
})

describe('a copy', () => {
  test('is refused while a column or a table has no rule, and writes nothing', async () => {
    const started = await startApi()
    const client = await connect(urlOf(started))
    await aSignedInMember(started, { is_write_access_admin: true })
    await client.query('alter table member add column nickname text, add column married_on date')
    await client.query('create table pet (id text primary key, legs integer)')
    const folder = await aFolder()
    await expect(copyToFile(urlOf(started), join(folder, 'copy'), await adminOf(started))).rejects.toThrow(
      /: member\.nickname, member\.married_on, pet\.id, pet\.legs\. Nothing was copied/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('is refused into the own database, under any address, and into one with tables', async () => {
    const started = await startApi()
    const [admin, folder] = [await adminOf(started), await aFolder()]
    const own = urlOf(started)
    const other = await makeDatabase()
    const alias = own.replace('127.0.0.1', '127.1').replace('localhost', '127.1')
    await (await connect(other)).query('create table anything (id integer)')
    await expect(copyToDatabase(own, own, admin, folder)).rejects.toThrow(/own database/)
    await expect(copyToDatabase(own, alias, admin, folder)).rejects.toThrow(/own database|isn’t empty/)
    await expect(copyToDatabase(own, other, admin, folder)).rejects.toThrow(/isn’t empty \(table anything\)/)
    await expect(copyToDatabase(own, 'mysql://127.0.0.1/x', admin, folder)).rejects.toThrow(
      /Name the target as/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('is refused without an administrator, from another release, and over an existing file', async () => {
    const started = await startApi()
    const [admin, folder] = [await adminOf(started), await aFolder()]
    const file = join(folder, 'copy')
    await expect(copyToFile(urlOf(started), file, admin)).rejects.toThrow(/no active administrator/)
    await aSignedInMember(started, { is_write_access_admin: true })
    writeFileSync(file, '')
    await expect(copyToFile(urlOf(started), file, admin)).rejects.toThrow(/already exists/)
    const client = await connect(urlOf(started))
    await client.query(`insert into member (id, email) values ('ann@sample.org', 'ann@sample.org')`)
    await expect(copyToFile(urlOf(started), `${file}-2`, admin)).rejects.toThrow(/IDs in the table member/)
    await client.query(`insert into kysely_migration values ('9999-later', '')`)
    await expect(copyToFile(urlOf(started), `${file}-2`, admin)).rejects.toThrow(/is at migration 9999-later/)
    expect(existsSync(`${file}-2`)).toBe(false)
  })
})

describe('a copy of the demo data', () => {
  let original: TestApi
  let copy: TestApi
  let target: string
  let copied: DumpHeader
  let token: string
  const ends: (() => unknown)[] = []
  const later = (end: () => unknown) => void ends.unshift(end)

  beforeAll(async () => {
    original = await startApi({}, later)
    const { config } = original.services
    Object.assign(config, { isDemo: true, hasDemoWorld: true })
    await seedDemo(original.services)
    await sealAudit(original.services.db)
    target = await makeDatabaseUntil(later)
    const folder = await makeTemporary('copy')
    later(() => removeTemporary(folder))
    copied = await copyToDatabase(urlOf(original), target, await adminOf(original), folder)
    expect(readdirSync(folder)).toEqual([])
    copy = await openCopy()
    const answer = await copy.call(api.signIn, { body: { email: adminEmail, password } })
    expect(answer.status).toBe(200)
    token = (answer.body as { token: string }).token
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  /** The product on the copy, with a master key of its own. */
  async function openCopy(): Promise<TestApi> {
    const { config } = original.services
    const db = openDatabase(target, () => {})
    later(() => db.destroy())
    const keys = makeKeys(randomBytes(32))
    await migrateToLatest(target)
    await requireFittingKey(db, keys)
    const services = {
      ...original.services,
      config: { ...config, databaseUrl: target },
      keys: await withFingerprintKey(db, keys),
    }
    return startAnotherInstance({ ...original, services }, later)
  }

  const rowsOf = async <Row extends object>({ services }: TestApi, query: string): Promise<Row[]> =>
    (await sql.raw<Row>(query).execute(services.db)).rows

  test('has as many rows as the original in each table that is not emptied', async () => {
    const rowsIn = (tables: typeof copied.tables) =>
      Object.fromEntries(tables.map(({ name, rows }) => [name, rulesOf(name) === 'emptied' ? 0 : rows]))
    const folder = await aFolder()
    const { tables } = await dumpDatabase(urlOf(original), join(folder, 'original'))
    expect(rowsIn(copied.tables)).toEqual(rowsIn(tables))
    expect(copied.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(50)
  })

  test('contains no address, transaction, phone number, or name of the original', async () => {
    const places = Object.entries(scrubRules).flatMap(([table, rules]) =>
      Object.entries<string>(rules === 'emptied' ? {} : rules)
        .filter(([, rule]) => /^(?:email|address|transaction|phone|name|birthDate)$/.test(rule))
        .map(([column]) => `select distinct ${column} as value from ${table} where length(${column}) > 8`),
    )
    const values = await rowsOf<{ value: string }>(original, places.join(' union '))
    expect(values.length).toBeGreaterThan(300)
    const folder = await aFolder()
    await dumpDatabase(target, join(folder, 'dump'))
    const text = textOf(join(folder, 'dump'))
    expect(values.filter(({ value }) => text.includes(value))).toEqual([])
  })

  test('keeps published posts, and replaces the text of drafts', async () => {
    const titles = (state: string) =>
      `select slug, title, content, search_text from announcement where state ${state} 'published' order by id`
    expect(await rowsOf(copy, titles('='))).toEqual(await rowsOf(original, titles('=')))
    for (const draft of await rowsOf(copy, titles('<>')))
      expect(draft).toMatchObject({
        slug: expect.stringMatching(/^draft-/),
        title: expect.stringMatching(/^Sample/),
      })
  })

  test('gives equal values equal replacements', async () => {
    const sharing = `select
      (select count(*)::int from kyc_application a join member m using (email)) as cases,
      (select count(*)::int from subscriber s join member m using (email)) as subscribers,
      (select count(*)::int from mail join member m on m.email = to_address) as mails,
      (select count(*)::int from order_step s join token_order o using (tx_key) where tx_key <> '') as steps,
      (select count(*)::int from payout_item i join delivery d on d.id = i.delivery_id
        join token_order o on o.id = d.order_id and o.fab_address = i.address) as payouts`
    const [[before], [after]] = [await rowsOf(original, sharing), await rowsOf(copy, sharing)]
    // The administrator of the copy has another address.
    expect(Object.values(before!).every((count) => count > 0)).toBe(true)
    expect(after).toEqual({ ...before, mails: expect.any(Number), subscribers: expect.any(Number) })
  })

  test('sends nothing, pays nothing out, and has no credentials', async () => {
    const [found] = await rowsOf(
      copy,
      `select (select count(*)::int from mail where state = 'waiting') as mails,
        (select count(*)::int from mail where sealed_message is not null) as messages,
        (select count(*)::int from webhook_endpoint where state = 'active') as webhooks,
        (select count(*)::int from api_token) as tokens,
        (select count(*)::int from member where password_hash is not null) as passwords,
        (select count(*)::int from member where email !~ '^person-\\w{16}@people\\.example$') as addresses,
        (select count(*)::int from payout_hold where released_at is null) as holds`,
    )
    expect(found).toEqual({
      mails: 0,
      messages: 0,
      webhooks: 0,
      tokens: 0,
      passwords: 1,
      addresses: 1,
      holds: 1,
    })
  })

  test('answers lists and the records in them to its administrator', async () => {
    const endpoints = Object.values<Endpoint>(api).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('admin/') && !path.endsWith('.csv'),
    )
    const ask = (endpoint: Endpoint, input: object) => copy.call(endpoint, input, { token })
    const failed: string[] = []
    const opened: string[] = []
    for (const list of endpoints.filter(({ path }) => !path.includes(':'))) {
      const { status, body } = await ask(list, { query: {} })
      if (status >= 500) failed.push(`${list.path}: ${status}`)
      const detail = endpoints.find(({ path }) => path === `${list.path}/:id`)
      if (!detail || !Array.isArray(body)) continue
      for (const { id, _id = id } of (body as { id: string; _id?: string }[]).slice(0, 3)) {
        const answer = await ask(detail, { params: { id: _id } })
        if (answer.status === 200) opened.push(list.path)
        else failed.push(`${detail.path} of ${_id}: ${answer.status}`)
      }
    }
    expect(failed).toEqual([])
    expect([...new Set(opened)].toSorted()).toEqual(expect.arrayContaining(['admin/members', 'admin/orders']))
    expect(opened.length).toBeGreaterThan(30)
  })

  test('finds a member by the replaced address', async () => {
    const [member] = await rowsOf<{ email: string }>(
      copy,
      `select email from member where email like 'person-%' limit 1`,
    )
    const { body } = await copy.call(api.listConsoleMembers, { query: { q: member!.email } }, { token })
    expect(body).toMatchObject([{ email: member!.email }])
  })

  test('has payout runs whose hashes are those of their deliveries', async () => {
    const { db } = copy.services
    const runs = await db.selectFrom('payout_run').selectAll().execute()
    expect(runs.length).toBeGreaterThan(0)
    for (const { id, number, network, contract, decimals, hash } of runs) {
      const items = await listFrozenItems(db, id)
      expect(hashOf(textOfRun({ number, network, contract, decimals, items }))).toBe(hash)
    }
  })

  test('seals its audit log again, and housekeeping succeeds', async () => {
    await sealAudit(copy.services.db)
    expect(await verifyAudit(copy.services.db)).toMatchObject({ brokenAt: null })
    await cleanUp(copy.services)
  })

  test(
    'is complete or absent if the command is killed',
    { tags: ['nightly'], timeout: 300_000 },
    async () => {
      const folder = await aFolder()
      const started = (wait: number, into: string) => {
        const child = spawn(process.execPath, ['scripts/run.mjs', 'copy', '--scrub', into], {
          cwd: fileURLToPath(new URL('../..', import.meta.url)),
          env: { PATH: process.env['PATH'], DATABASE_URL: urlOf(original), DATA_DIR: folder },
        })
        const killing = setTimeout(() => child.kill('SIGKILL'), wait)
        return new Promise<number | null>((resolve) =>
          child.once('exit', (code) => {
            clearTimeout(killing)
            resolve(code)
          }),
        )
      }
      /** What the target has after a command that was killed at this time, in milliseconds. */
      const outcomeAfter = async (wait: number) => {
        const into = await makeDatabase()
        const code = await started(wait, into)
        const client = await connect(into)
        const found = await client.query(
          `select to_regclass('public.restored_backup') is not null as "hasTables"`,
        )
        if (!found.rows[0].hasTables) return { code, has: 'no tables' }
        const { rows } = await client.query(
          'select (select count(*)::int from restored_backup) as ends, (select count(*)::int from member) as members',
        )
        if (rows[0].ends === 0) expect(rows[0].members).toBe(0)
        else expect(rows[0].members).toBeGreaterThan(200)
        return { code, has: rows[0].ends === 0 ? 'empty tables' : 'everything' }
      }
      const begun = performance.now()
      expect(await outcomeAfter(120_000)).toEqual({ code: 0, has: 'everything' })
      const time = performance.now() - begun
      const outcomes = []
      for (const part of [0.2, 0.4, 0.6, 0.8, 0.9]) outcomes.push(await outcomeAfter(part * time))
      expect(outcomes[0]).toEqual({ code: null, has: 'no tables' })
      expect(outcomes.filter(({ code, has }) => code === 0 && has !== 'everything')).toEqual([])
      for (const left of readdirSync(folder).flatMap((each) => readdirSync(join(folder, each))))
        expect(left).toMatch(/^scrubbed\.dump/)
    },
  )
})
