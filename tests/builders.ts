import sharp from 'sharp'
import brand from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import type { Consent } from '#contract/people/consents.ts'
import type { KycApplication, KycState } from '#contract/people/kyc.ts'
import type { SaleSettings } from '#contract/money/sale.ts'
import type { SignedIn } from '#contract/people/sessions.ts'
import { updateKycRow } from '#api/people/kyc/kyc.queries.ts'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { insertMentions } from '#api/people/notes/mention.queries.ts'
import { insertNote, type NotedRecord } from '#api/people/notes/note.queries.ts'
import { transaction } from '#api/platform/db/database.ts'
import { insertOrder, type OrderChange } from '#api/money/orders/order.queries.ts'
import type { PasswordHasher } from '#api/platform/password-hasher.ts'
import { replaceSale } from '#api/money/sale/sale.queries.ts'
import { startSession } from '#api/people/sessions/start-session.ts'
import type { TestApi } from './setup/start-api.ts'

export const goodPassword = 'correct horse battery'

/** The consents that the sign-up form sends. Members without them are asked on every page. */
export const acceptedConsents: Consent[] = [
  { document: 'terms', version: brand.legal.terms },
  { document: 'privacy', version: brand.legal.privacy },
]

let counter = 0
/** Returns an address that no other test uses. Each member signs in from a different client. */
export const anEmail = (): string => `person${++counter}@example.org`
export const anIp = () => `10.${(counter >> 16) & 255}.${(counter >> 8) & 255}.${counter & 255}`

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
  // Each sign-up comes from a different client, because one client would need proofs of work after several.
  const answer = await api_.call(api.createMember, { body: { email, password } }, { ip: anIp() })
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}`)
  const mail = (await api_.mailsTo(email)).filter(({ kind }) => kind === 'activation').at(-1)
  const link = /https?:\S+\/login\/activate\?\S+/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error('no activation mail')
  return { link, code: new URL(link).searchParams.get('code')! }
}

/**
 * A member who signed up, activated the account, and signed in through the API, in the same browser unless
 * `isElsewhere` is set. `rights` are written directly before the sign-in.
 */
export async function aMember(
  api_: TestApi,
  options: { email?: string; password?: string; rights?: MemberChange; isElsewhere?: boolean } = {},
): Promise<TestMember> {
  const email = options.email ?? anEmail()
  const password = options.password ?? goodPassword
  const ip = anIp()
  const { code } = await signUp(api_, email, password)
  const activated = await api_.call(api.activateMember, { params: { email, code } }, { ip })
  const { id } = await api_.services.db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (options.rights) await updateMemberRow(api_.services.db, id, options.rights)
  const carried = options.isElsewhere ? {} : activated.cookies
  const { session, cookies } = await signInAs(api_, email, password, ip, carried)
  return { id, email, password, ip, token: session.token, session, cookies }
}

export async function signInAs(
  api_: TestApi,
  email: string,
  password: string,
  ip: string,
  carried: Record<string, string> = {},
): Promise<{ session: SignedIn; cookies: Record<string, string> }> {
  const answer = await api_.call(api.signIn, { body: { email, password } }, { ip, cookies: carried })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status} ${answer.problem.code}`)
  return { session: answer.body, cookies: answer.cookies }
}

const hashes = new WeakMap<PasswordHasher, Promise<string>>()

export function hashOfGoodPassword(passwords: PasswordHasher): Promise<string> {
  const made = hashes.get(passwords) ?? passwords.hash(goodPassword)
  hashes.set(passwords, made)
  return made
}

/**
 * Like `aMember`, but written directly to the database, for tests that need many members and are not about signing in.
 */
export async function aSignedInMember(api_: TestApi, rights: MemberChange = {}): Promise<TestMember> {
  const { db, passwords } = api_.services
  const email = anEmail()
  const ip = anIp()
  // One statement, because thousands of members are inserted.
  const { id } = await db
    .insertInto('member')
    .values({
      email,
      language: 'en',
      active: true,
      password_hash: await hashOfGoodPassword(passwords),
      password_length_ok_for_staff: true,
      address_proved_at: new Date(),
      ...rights,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cookies: Record<string, string> = {}
  const { signedIn, setCookies } = await startSession(db, api_.services.config, id, {
    id: '',
    language: 'en',
    client: ip,
    userAgent: '',
    isSecure: false,
    refreshToken: undefined,
    xsrfToken: undefined,
  })
  setCookies({
    setSessionCookies: (refresh, xsrf) => Object.assign(cookies, { refresh, 'XSRF-TOKEN': xsrf }),
    setRefreshCookie: () => {},
    setDeviceCookie: () => {},
    clearSessionCookies: () => {},
    setActivationCookie: () => {},
    setNext: () => {},
  })
  return { id, email, password: goodPassword, ip, token: signedIn.token, session: signedIn, cookies }
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

const pictures = new Map<string, Promise<string>>()

/** Returns a real picture as the data URL of a selected file. The same one is encoded only once. */
export function aPicture(
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
  { width = 640, height = 480 }: { width?: number; height?: number } = {},
): Promise<string> {
  const key = `${format} ${width} ${height}`
  const made = pictures.get(key) ?? drawPicture(format, width, height)
  pictures.set(key, made)
  return made
}

async function drawPicture(format: 'jpeg' | 'png' | 'webp', width: number, height: number): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer()
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

export const anApplicant = (email: string) => ({
  firstName: 'Sample Person',
  email,
  country: 'Iceland',
  ethAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
})

/** An identity application submitted through the API; a state other than `submitted` is written directly. */
export async function anApplication(
  api_: TestApi,
  member: Pick<TestMember, 'email' | 'token'>,
  status: KycState = 'submitted',
): Promise<KycApplication> {
  const body = { ...anApplicant(member.email), photoUrls: [await aPicture()] }
  const answer = await api_.call(api.createKyc, { body }, { token: member.token })
  if (answer.status !== 201) throw new Error(`kyc/create answered ${answer.status} ${answer.problem.code}`)
  if (status !== 'submitted') await updateKycRow(api_.services.db, answer.body._id, { status })
  return { ...answer.body, status }
}

/** Approves the member's identity without an application through the API, where nothing else of it counts. */
export async function proveIdentity(
  { services }: TestApi,
  { id, email }: Pick<TestMember, 'id' | 'email'>,
): Promise<void> {
  const { firstName, country, ethAddress } = anApplicant(email)
  const applicant = { full_name: firstName, country, eth_address: ethAddress, email }
  await services.db
    .insertInto('kyc_application')
    .values({ ...applicant, member_id: id, status: 'approved' })
    .execute()
}

/** Inserts an order directly. */
export const anOrder = (api_: TestApi, memberId: string, fields: OrderChange = {}) =>
  insertOrder(api_.services.db, memberId, { payMethod: 'ETH', amount: '1.5', ...fields })

/** Returns the settings of an open sale. The addresses are samples of BIP-173 and EIP-55. */
export const saleSettings = (fields: Partial<Omit<SaleSettings, 'lastUpdated'>> = {}) => ({
  isOpen: true,
  quoteMinutes: 15,
  payMethods: [
    {
      code: 'BTC',
      chain: 'bitcoin' as const,
      currency: 'BTC',
      isOpen: true,
      rate: '120000',
      decimals: 8,
      minAmount: '0.001',
      maxAmount: '5',
      receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    },
    {
      code: 'ETH',
      chain: 'ethereum' as const,
      currency: 'ETH',
      isOpen: true,
      rate: '4000.5',
      decimals: 18,
      minAmount: '0.01',
      maxAmount: '100',
      receivingAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    },
  ],
  ...fields,
})

/** Inserts the sale settings directly. */
export const aSale = (api_: TestApi, fields: Parameters<typeof saleSettings>[0] = {}): Promise<void> =>
  transaction(api_.services.db, (db) => replaceSale(db, saleSettings(fields), null))

/** Returns the ID of a note of staff. */
export const aNote = ({ services }: TestApi, authorId: string, about: NotedRecord): Promise<string> =>
  transaction(services.db, (db) => insertNote(db, about, { authorId, text: 'Called back.' }))

/** Returns the ID of a mention of a colleague in a note. */
export const aMention = async ({ services }: TestApi, noteId: string, memberId: string): Promise<string> => {
  await transaction(services.db, (db) => insertMentions(db, noteId, [memberId]))
  const { id } = await services.db
    .selectFrom('staff_mention')
    .select('id')
    .where('note_id', '=', noteId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return id
}
