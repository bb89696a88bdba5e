import { api } from '#contract/api.ts'
import type { SignedIn } from '#contract/sessions.ts'
import type { MemberChange } from '#api/members/member.queries.ts'
import { updateMemberRow } from '#api/members/member.queries.ts'
import type { TestApi } from './setup/start-api.ts'

export const goodPassword = 'correct horse battery'

let counter = 0
/** An address that no other test uses; each member signs in from a client of their own. */
export const anEmail = (): string => `person${++counter}@example.org`
const anIp = () => `10.${(counter >> 16) & 255}.${(counter >> 8) & 255}.${counter & 255}`

export type TestMember = {
  id: string
  email: string
  password: string
  ip: string
  token: string
  session: SignedIn
  cookies: Record<string, string>
}

export async function signUp(
  api_: TestApi,
  email: string,
  password: string = goodPassword,
): Promise<{ link: string; code: string }> {
  const answer = await api_.call(api.createMember, { body: { email, password } })
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}`)
  const mail = (await api_.mailsTo(email)).filter(({ kind }) => kind === 'activation').at(-1)
  const link = /https?:\S+\/login\/activate\?\S+/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error('no activation mail')
  return { link, code: new URL(link).searchParams.get('code')! }
}

/** A member who signed up, activated and signed in through the API. `rights` are written directly, before sign-in. */
export async function aMember(
  api_: TestApi,
  options: { email?: string; password?: string; rights?: MemberChange } = {},
): Promise<TestMember> {
  const email = options.email ?? anEmail()
  const password = options.password ?? goodPassword
  const ip = anIp()
  const { code } = await signUp(api_, email, password)
  await api_.call(api.activateMember, { params: { email, code } }, { ip })
  const { id } = await api_.services.db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (options.rights) await updateMemberRow(api_.services.db, id, options.rights)
  const { session, cookies } = await signInAs(api_, email, password, ip)
  return { id, email, password, ip, token: session.token, session, cookies }
}

export async function signInAs(
  api_: TestApi,
  email: string,
  password: string,
  ip: string,
): Promise<{ session: SignedIn; cookies: Record<string, string> }> {
  const answer = await api_.call(api.signIn, { body: { email, password } }, { ip })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status} ${answer.problem.code}`)
  return { session: answer.body, cookies: answer.cookies }
}

export const anAdmin = (api_: TestApi): Promise<TestMember> =>
  aMember(api_, { rights: { is_write_access_admin: true } })

export const aPost = (
  fields: Partial<{ title: string; category: string; content: string; language: 'en' | 'cn' }> = {},
) => ({
  title: 'A new release',
  category: 'News',
  content: '<p>It is out.</p>',
  language: 'en' as const,
  ...fields,
})
