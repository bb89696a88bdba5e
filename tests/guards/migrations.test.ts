import { expect, test } from 'vitest'
import { readMigrations, statementsOf } from '#api/platform/db/migrate.ts'

/**
 * Older migrations were written when an upgrade stopped every instance. They have been applied everywhere and do not
 * change.
 */
const lastUnguarded = '0102-mailboxes-that-refuse'

/** Effects of a migration statement on a table with rows that others use, and the alternative. */
const rules: { finds: RegExp; why: string; table: RegExp }[] = [
  {
    finds: /^create (?:unique )?index (?!concurrently)/i,
    table: /\bon (?:only )?(\w+)/i,
    why: 'keeps writers out while it builds: a file that begins with "-- outside a transaction" and says create index concurrently if not exists',
  },
  {
    finds: /^alter table .*\b(?:alter column \w+ )(?:set data )?type\b/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'writes the table anew: add a column, fill it in steps, and change over in a later release',
  },
  {
    finds: /^alter table .*\bset not null\b/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'reads the table with everybody kept out: add a check (… is not null) not valid, validate it in a further migration, then set not null',
  },
  {
    finds: /^alter table .*\badd (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'reads the table with everybody kept out: add it not valid, and validate it in a further migration',
  },
  {
    finds: /^alter table .*\badd column (?:if not exists )?\w+ [^,;]*\breferences\b/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'locks both tables: add the column, then the foreign key not valid, and validate it in a further migration',
  },
  {
    finds: /^alter table .*\badd (?:constraint \w+ )?(?:unique|primary key|exclude)\b(?!\s+using index)/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'builds an index with everybody kept out: create the unique index concurrently, then add the constraint using index',
  },
  {
    finds:
      /^alter table .*\badd column [^,;]*\b(?:default [^,;]*\w*(?:random|uuid|clock_timestamp|nextval)\w*\(|generated always as\b[^,;]*\bstored|(?:big|small)?serial\b)/is,
    table: /^alter table (?:only )?(?:if exists )?(\w+)/i,
    why: 'writes every row at once: add the column without it, fill it in steps, then set the default',
  },
  {
    finds:
      /^(?:vacuum full|cluster|reindex (?!.*concurrently)|lock table|refresh materialized view (?!concurrently))/i,
    table: /^(?:vacuum full|cluster|reindex \w+|lock table|refresh materialized view)\s+(\w+)/i,
    why: 'keeps everybody out of the table',
  },
  {
    finds: /^(?:drop table|alter table .*\b(?:drop column|rename)\b)/is,
    table: /^(?:drop|alter) table (?:only )?(?:if exists )?(\w+)/i,
    why: 'takes away what the release before still uses: say which release stopped using it, in a line "-- contracts: …"',
  },
  {
    finds: /^(?:update|delete from) (?!.*\bwhere\b)/is,
    table: /^(?:update|delete from) (?:only )?(\w+)/i,
    why: 'writes every row in one transaction: fill it in steps by a worker, or say where',
  },
]

type Locking = { statement: string; table: string; why: string }

/**
 * Returns the statements of a migration that would block others or break the previous release. Tables that the file
 * itself creates are not used by anyone yet. A line `-- locks <table>: <why this is harmless>` exempts a table that
 * stays small.
 */
function lockingStatements(text: string): Locking[] {
  const made = new Set(
    [...text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim)].map((m) => m[1]),
  )
  const answered = new Set([...text.matchAll(/^-- locks (\w+): \S/gm)].map((m) => m[1]))
  const contracts = /^-- contracts: \S/m.test(text)
  // Function bodies run later, and not on all rows.
  const plain = text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
  return statementsOf(plain).flatMap((statement) =>
    rules.flatMap(({ finds, table, why }) => {
      if (!finds.test(statement)) return []
      if (contracts && why.startsWith('takes away')) return []
      const name = table.exec(statement)?.[1] ?? '?'
      return made.has(name) || answered.has(name) ? [] : [{ statement, table: name, why }]
    }),
  )
}

test('no migration locks a table that others use, or takes away what the release before needs', async () => {
  const guarded = (await readMigrations()).filter(({ name }) => name > lastUnguarded)
  const found = guarded.flatMap(({ name, text }) =>
    lockingStatements(text).map(({ statement, why }) => `${name}: "${statement.slice(0, 80)}" ${why}`),
  )
  expect(found).toEqual([])
})

test('what runs outside a transaction can be repeated', async () => {
  const repeatable =
    /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists|alter table \w+ validate constraint)\b/i
  const files = (await readMigrations()).filter(({ text }) => text.startsWith('-- outside a transaction'))
  for (const { name, text } of files)
    for (const statement of statementsOf(text)) expect(statement, name).toMatch(repeatable)
})

test.each([
  ['create index member_name on member (display_name);', true],
  ['create unique index concurrently if not exists member_name on member (display_name);', false],
  ['alter table member alter column email type citext;', true],
  ['alter table member alter column phone set not null;', true],
  ["alter table member add column colour text not null default 'red';", false],
  ['alter table member add column token uuid default gen_random_uuid();', true],
  ['alter table token_order add constraint positive check (amount > 0);', true],
  ['alter table token_order add constraint positive check (amount > 0) not valid;', false],
  ['alter table token_order validate constraint positive;', false],
  ['alter table token_order add column by_id text references member;', true],
  ['alter table token_order add foreign key (by_id) references member not valid;', false],
  ['alter table member add constraint one_name unique (display_name);', true],
  ['alter table member add constraint one_name unique using index member_name;', false],
  ['update member set active = true;', true],
  ["update member set active = true where id = 'a';", false],
  ['alter table member drop column phone;', true],
  ['-- contracts: unused since 1.4\nalter table member drop column phone;', false],
  ['create table fresh (id int);\ncreate index fresh_id on fresh (id);', false],
  ['-- locks pay_method: a dozen rows\ncreate index pay_method_code on pay_method (code);', false],
  ['create function f() returns void language plpgsql as $$ begin update member set x = 1; end $$;', false],
  ['vacuum full member;', true],
])('%s', (text, isRefused) => {
  expect(lockingStatements(text).length > 0).toBe(isRefused)
})
