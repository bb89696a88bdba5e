import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFull } from '#tests/setup/languages-under-test.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { dumpDatabase } from './dump.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/start-embedded.ts'
import { aFolder, query } from './embedded/trial.ts'
import { type Release, restoreDatabase } from './restore.ts'

const schema = `
  create table kysely_migration (name text primary key, "timestamp" text not null);
  create table kysely_migration_lock (id text primary key, is_locked int not null default 0);
  insert into kysely_migration values ('0001-first', 'then'), ('0002-second', 'then');
  create type state as enum ('open', 'done');
  -- Named so that the order of names is not the order of foreign keys.
  create table zebra (id bigint generated always as identity primary key, name text unique not null,
    parent_id bigint references zebra, seeded boolean not null default false);
  create table "Order ""A" (id uuid primary key default gen_random_uuid(), zebra_id bigint not null references zebra,
    amount numeric(38, 18) not null, double_amount numeric generated always as (amount * 2) stored,
    at timestamptz not null, state state not null, note text);
  create table attachment (id serial primary key, order_id uuid not null references "Order ""A" on delete cascade,
    bytes bytea not null, detail jsonb, tags text[], ratio float8, span interval, day date);
  create table chicken (id int primary key, egg_id int not null);
  create table egg (id int primary key, chicken_id int not null references chicken);
  alter table chicken add constraint chicken_egg foreign key (egg_id) references egg;
  create table nothing (id int);
  create table trail (id int primary key, at timestamptz not null default now());
  create function keep_trail() returns trigger language plpgsql as
    $$ begin raise exception 'the trail is append-only'; end $$;
  create trigger trail_kept before update or delete on trail for each row execute function keep_trail();
  create trigger trail_never_cleared before truncate on trail execute function keep_trail();
  create function note_zebra() returns trigger language plpgsql as
    $$ begin insert into trail values (coalesce((select max(id) from trail), 0) + 1); return new; end $$;
  create trigger zebra_noted after insert on zebra for each row execute function note_zebra();
  create trigger zebra_quiet after insert on zebra for each row execute function note_zebra();
  alter table zebra disable trigger zebra_quiet;
  insert into zebra (name, seeded) values ('seed', true);`

/** 2 kB each; the nightly run dumps more of them. */
const attachments = isFull ? 5000 : 500

const rows = `
  insert into zebra (name) select 'Zürich 苏黎世 ' || n from generate_series(2, 2000) n;
  update zebra set parent_id = 2001 - id where id % 3 = 0;
  insert into "Order ""A" (zebra_id, amount, at, state, note)
    select 1 + n % 2000, n::numeric / 7, timestamptz '1999-12-31 23:59:59.123456+08' + n * interval '1 minute',
      case n % 2 when 0 then 'open'::state else 'done' end,
      case n % 4 when 0 then null when 1 then '' when 2 then E'tab\\t back\\\\slash \\\\. \\\\N line\\nend\\r' else '\\N' end
    from generate_series(1, 50000) n;
  insert into attachment (order_id, bytes, detail, tags, ratio, span, day)
    select id, decode(repeat(md5(id::text), (random() * 300)::int), 'hex'), jsonb_build_object('n', amount, 'text', note),
      array[note, 'b"c', null], 1 / 3.0::float8, interval '1 year -3 days 00:00:00.5', date '0044-03-15 BC'
    from "Order ""A" limit ${attachments};
  insert into attachment (order_id, bytes, ratio) select id, decode(repeat('00ff0d0a5c2e', 1000000), 'hex'), 'NaN'
    from "Order ""A" limit 1;
  delete from attachment where id between 100 and 200;
  begin;
  alter table chicken alter constraint chicken_egg deferrable initially deferred;
  insert into chicken values (1, 2); insert into egg values (2, 1);
  set constraints all immediate;
  alter table chicken alter constraint chicken_egg not deferrable;
  commit;`

const release: Release = {
  migrations: ['0001-first', '0002-second'],
  migrate: async (url) => void (await query(url, schema)),
}

let server: EmbeddedServer
let folder: string
let file: string

/** A new database on the same server. */
async function aDatabase(name: string): Promise<string> {
  await query(server.url, `create database ${name}`)
  return server.url.replace(/app$/, name)
}

const everything = (url: string): Promise<unknown[]> =>
  query(
    url,
    `select 'zebra' as t, count(*), md5(string_agg(z::text, E'\\n' order by id)) as sum from zebra z
     union all select 'order', count(*), md5(string_agg(o::text, E'\\n' order by id)) from "Order ""A" o
     union all select 'attachment', count(*), md5(string_agg(md5(a::text), '' order by id)) from attachment a
     union all select 'ring', count(*), md5(string_agg(r::text, '')) from (select * from chicken join egg on egg.id = egg_id) r
     union all select 'trail', count(*), md5(string_agg(t::text, E'\\n' order by id)) from trail t
     union all select 'keys', count(*), string_agg(conname || condeferrable::text, ' ' order by conname) from pg_constraint where contype = 'f'
     union all select 'triggers', count(*), string_agg(tgname || tgenabled::text, ' ' order by tgname) from pg_trigger where not tgisinternal
     order by t`,
  )

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartRefused)
  expect((error as Error).message).toMatch(/^\S[^\n]*\.$/)
  return (error as Error).message
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dump-'))
  chmodSync(folder, 0o711)
  server = await startEmbedded({ dataDir: join(folder, 'data'), log: () => undefined })
  await query(server.url, schema)
  await query(server.url, rows)
  file = join(folder, 'all.dump')
  await dumpDatabase(server.url, file)
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test('restores what was dumped: rows, sequences, triggers, and keys', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).toSorted()).toEqual(['all.dump', 'data'])
  const url = await aDatabase('whole')
  const header = await restoreDatabase(url, file, release)
  const order = header.tables.map(({ name }) => name)
  expect(order.filter((name) => ['zebra', 'Order "A', 'attachment'].includes(name))).toEqual([
    'zebra',
    'Order "A',
    'attachment',
  ])
  expect(Object.fromEntries(header.tables.map((table) => [table.name, table.rows]))).toEqual({
    zebra: 2000,
    'Order "A': 50000,
    attachment: attachments - 100,
    chicken: 1,
    egg: 1,
    nothing: 0,
    trail: 2000,
  })
  expect(await everything(url)).toEqual(await everything(server.url))
  const next = `insert into zebra (name) values ('next') returning id::int`
  expect(await query(url, next)).toEqual([{ id: 2001 }])
  await expect(query(url, 'insert into egg values (3, 99)')).rejects.toMatchObject({ code: '23503' })
  await expect(query(url, 'delete from trail')).rejects.toThrow('append-only')

  // A dump of the restored database has the same content.
  const again = await dumpDatabase(await aDatabaseRestoredAs('twice'), join(aFolder(), 'again.dump'))
  expect(again.tables.map(({ name, rows, checksum }) => ({ name, rows, checksum }))).toEqual(
    header.tables.map(({ name, rows, checksum }) => ({ name, rows, checksum })),
  )
})

async function aDatabaseRestoredAs(name: string): Promise<string> {
  const url = await aDatabase(name)
  await restoreDatabase(url, file, release)
  return url
}

test('accepts a migrated database without rows as a target, but not one with a row', async () => {
  const url = await aDatabase('migrated')
  await release.migrate(url)
  expect(await refusalOf(restoreDatabase(url, file, release))).toContain('not empty')
  expect(await query(url, 'select name from zebra')).toEqual([{ name: 'seed' }])
  await query(
    url,
    `delete from zebra; alter table trail disable trigger user; delete from trail; alter table trail enable trigger user`,
  )
  await restoreDatabase(url, file, release)
  expect(await everything(url)).toEqual(await everything(server.url))
})

test('rejects a file truncated anywhere before the database is touched', async () => {
  const url = await aDatabase('short')
  const { size } = statSync(file)
  for (const length of [0, 1, 20, 400, Math.floor(size / 2), size - 20, size - 1]) {
    const cut = join(aFolder(), 'cut.dump')
    writeFileSync(cut, readFileSync(file))
    truncateSync(cut, length)
    expect(await refusalOf(restoreDatabase(url, cut, release))).toMatch(/is truncated|isn’t a dump/)
  }
  expect(await query(url, `select relname from pg_class where relname = 'zebra'`)).toEqual([])
})

test('rejects a file altered anywhere before the database is touched', async () => {
  const url = await aDatabase('altered')
  const whole = readFileSync(file)
  const altered: Buffer[] = [1, 40, 700, Math.floor(whole.length / 3), whole.length - 6].map((at) => {
    const copy = Buffer.from(whole)
    copy[at]! ^= 1
    return copy
  })
  const text = gunzipSync(whole).toString('latin1')
  for (const [from, to] of [
    ['"rows":50000', '"rows":49999'],
    ['"name":"zebra_id_seq","value":"2000"', '"name":"zebra_id_seq","value":"1999"'],
    ['0002-second', '0002-sekond'],
    ['\tseed\t', '\tsaat\t'],
    ['database-dump 2', 'database-dump 3'],
    ['set ON_ERROR_STOP on', 'set ON_ERROR_STOP no'],
  ] as const) {
    expect(text).toContain(from)
    altered.push(gzipSync(Buffer.from(text.replace(from, to), 'latin1')))
  }
  altered.push(gzipSync(Buffer.from(`${text}1\t1\n`, 'latin1')), Buffer.from('no dump at all'))
  for (const bytes of altered) {
    const path = join(aFolder(), 'altered.dump')
    writeFileSync(path, bytes)
    expect(await refusalOf(restoreDatabase(url, path, release))).toMatch(/was modified|isn’t a dump/)
  }
  expect(await query(url, `select relname from pg_class where relname = 'zebra'`)).toEqual([])
})

test('rejects a dump of another migration level before the database is touched', async () => {
  const url = await aDatabase('level')
  const newer = { ...release, migrations: [...release.migrations, '0003-third'] }
  const message = await refusalOf(restoreDatabase(url, file, newer))
  expect(message).toMatch(/0002-second.*0003-third/)
  expect(await query(url, `select relname from pg_class where relname = 'zebra'`)).toEqual([])

  await release.migrate(url)
  await query(url, `insert into kysely_migration values ('0003-third', 'now')`)
  expect(await refusalOf(restoreDatabase(url, file, release))).toContain('0003-third')
})

test('rows that a table rejects leave the database unchanged', async () => {
  const url = await aDatabase('strict')
  const strict = {
    ...release,
    migrate: (to: string) => query(to, `${schema} alter table egg add check (id > 2);`).then(() => undefined),
  }
  expect(await refusalOf(restoreDatabase(url, file, strict))).toMatch(/23514, egg/)
  expect(await query(url, 'select name from zebra')).toEqual([{ name: 'seed' }])
})

test('rows that differ after loading are detected and leave the database unchanged', async () => {
  const url = await aDatabase('lossy')
  const lossy = schema.replace('at timestamptz not null, state', 'at timestamptz(0) not null, state')
  expect(lossy).not.toBe(schema)
  const message = await refusalOf(
    restoreDatabase(url, file, { ...release, migrate: (to) => query(to, lossy).then(() => undefined) }),
  )
  expect(message).toContain('doesn’t match the dump')
  expect(await query(url, 'select name from zebra')).toEqual([{ name: 'seed' }])
})

test('a dump shows one point in time despite concurrent writes, and never overwrites a file', async () => {
  const target = join(aFolder(), 'busy.dump')
  let isDone = false
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      await query(
        server.url,
        `with z as (insert into zebra (name) values ('busy ${n}') returning id)
        insert into "Order ""A" (zebra_id, amount, at, state) select id, 1, now(), 'open' from z`,
      )
    }
  })()
  const header = await dumpDatabase(server.url, target)
  isDone = true
  await writing
  const count = (name: string): number => header.tables.find((table) => table.name === name)!.rows
  expect(count('Order "A') - 50000).toBe(count('zebra') - 2000)
  expect(count('trail')).toBe(count('zebra'))
  const url = await aDatabase('busy')
  await restoreDatabase(url, target, release)

  const before = readFileSync(target)
  expect(await refusalOf(dumpDatabase(server.url, target))).toContain('exists')
  expect(readFileSync(target).equals(before)).toBe(true)
})

test('rejects an empty database, a missing file, and a server that does not answer', async () => {
  const path = join(aFolder(), 'none.dump')
  expect(await refusalOf(dumpDatabase(await aDatabase('blank'), path))).toContain('is empty')
  expect(await refusalOf(restoreDatabase(server.url, path, release))).toContain('ENOENT')
  expect(await refusalOf(dumpDatabase('postgres://app:x@127.0.0.1:1/app', path))).toContain('ECONNREFUSED')
  expect(readdirSync(dirname(path))).toEqual([])
})
