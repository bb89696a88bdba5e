import { expect, test } from 'vitest'
import { readMigrations, statementsOf } from '#api/db/migrate.ts'
import { lockingStatements } from './locking-statements.ts'

/**
 * Older migrations were written when an upgrade stopped every instance. They have been applied everywhere and do not
 * change.
 */
const lastUnguarded = '0102-mailboxes-that-refuse'

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
