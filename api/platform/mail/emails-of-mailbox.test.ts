import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { mailKinds, type MailKind } from './mail-kinds.ts'
import { insertMails } from './mail.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started

/** Kinds that go to an address without an account, but that only its account can trigger. */
const ofAccount: readonly MailKind[] = ['activation', 'choose-password']
const toMailbox = (Object.keys(mailKinds) as MailKind[]).filter(
  (kind) => 'footer' in mailKinds[kind] && !ofAccount.includes(kind),
)

test.each([
  ['an account whose address was never verified neither exports nor erases', null],
  ['an account with a verified address exports and erases', new Date()],
])('%s the emails of the mailbox', async (_what, address_proved_at) => {
  const member = await aSignedInMember(started, { address_proved_at })
  const by = { token: member.token }
  await insertMails(
    services.db,
    toMailbox.map((kind) => ({
      id: `${kind} ${member.id}`,
      toAddress: member.email,
      kind,
      sealedMessage: Buffer.alloc(1),
    })),
  )
  expect(toMailbox).toEqual(expect.arrayContaining(['contact-answer', 'reminder-sale-open', 'news-post']))
  const { body } = await call(api.exportMember, { query: { format: 'json' } }, by)
  const exported = JSON.stringify(body)
  expect(toMailbox.filter((kind) => exported.includes(`"${kind}"`))).toEqual(
    address_proved_at ? toMailbox : [],
  )
  await call(api.eraseMember, { body: { current: member.password } }, by)
  const kept = (
    await services.db.selectFrom('mail').select('kind').where('to_address', '=', member.email).execute()
  ).map(({ kind }) => kind)
  expect(toMailbox.filter((kind) => kept.includes(kind))).toEqual(address_proved_at ? [] : toMailbox)
})
