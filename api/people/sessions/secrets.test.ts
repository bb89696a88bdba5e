import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aMember, signUp } from '#tests/builders.ts'
import { hashAsInProduction, startApi, type TestApi } from '#tests/setup/start-api.ts'

/** Every row of every table as text; bytes both raw and as text. */
async function everythingStored({ services: { db } }: TestApi): Promise<string> {
  const tables = await db.introspection.getTables()
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    for (const value of rows.flatMap((row) => Object.values(row)))
      parts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))
  }
  return parts.join('\n')
}

const codeIn = (text: string, pattern: RegExp) => decodeURIComponent(pattern.exec(text)![1]!)

test('stores no token, code, password, or secret in its wire format', async () => {
  const started = await startApi()
  await hashAsInProduction(started)
  const { call, mailsTo } = started
  const waiting = anEmail()
  const activation = (await signUp(started, waiting, 'password of a sign-up')).code
  const member = await aMember(started)
  await call(api.requestPasswordReset, { body: { email: member.email } })
  await call(api.updateMember, { body: { id: member.id, email: 'new@example.org' } }, { token: member.token })
  const { secret } = (await call(api.beginTotp, { body: null }, { token: member.token })).body
  const code = new TOTP({ secret }).generate()
  const confirmed = await call(api.confirmTotp, { body: { code } }, { token: member.token })
  const reset = (await mailsTo(member.email)).find(({ kind }) => kind === 'password-reset')!
  const change = (await mailsTo('new@example.org'))[0]!
  const secrets = {
    accessToken: member.token,
    refreshToken: member.cookies['refresh']!,
    xsrfToken: member.cookies['XSRF-TOKEN']!,
    password: member.password,
    passwordOfSignUp: 'password of a sign-up',
    activationCode: activation,
    resetCode: codeIn(reset.text, /change-password\/[^/\s]+\/(\S+)/),
    emailCode: codeIn(change.text, /\b([0-9A-Z]{5}-[0-9A-Z]{5})\b/),
    totpSecret: secret,
    totpSecretAsBytes: new TOTP({ secret }).secret.latin1,
    ...Object.fromEntries(confirmed.body.recoveryCodes.map((each, at) => [`recoveryCode${at}`, each])),
  }
  const stored = await everythingStored(started)
  // Known data would be found.
  expect(stored).toContain(member.email)
  expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  const bare = (text: string) => text.replaceAll('-', '').toLowerCase()
  const found = Object.entries(secrets).filter(
    ([, value]) => stored.includes(value) || bare(stored).includes(bare(value)),
  )
  expect(Object.values(secrets).filter((value) => value.length < 6)).toEqual([])
  expect(found.map(([name]) => name)).toEqual([])
})
