import type { Page } from 'playwright-core'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { openDatabase } from '#api/platform/db/database.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import { acceptedConsents, anApplicant, anEmail, goodPassword } from '#tests/builders.ts'
import { aVisitor } from './browser.ts'
import { startOnCopy, type Product } from './start-product.ts'
import { removeTemporary } from './temporary.ts'

type Viewport = { width: number; height: number }

/** A product with two reviewers and a queue of cases that have been waiting for a long time. */
export type ReviewDesk = {
  /** Adds a case of a new member and returns its number. */
  aCase(name: string, photos?: readonly (readonly [width: number, height: number])[]): Promise<string>
  /** Returns a signed-in reviewer's browser. */
  anOfficer(language: Language, options?: { second?: boolean; viewport?: Viewport }): Promise<Page>
  /** The email addresses of the reviewers. */
  officers: readonly string[]
  stop(): Promise<void>
}

export async function startReviewDesk(olderCases: number): Promise<ReviewDesk> {
  const product = await startOnCopy({ STAFF_SECOND_FACTOR: 'optional' })
  const db = openDatabase(product.databaseUrl, () => {})
  const officers = [await join(product), anEmail()]

  /** Inserts another reviewer without an email. The password is the first reviewer's. */
  const addMember = (email: string) =>
    sql`insert into member (email, active, password_hash, password_length_ok_for_staff, address_proved_at)
      select ${email}, true, password_hash, true, now() from member where email = ${officers[0]}`.execute(db)
  await addMember(officers[1]!)
  for (const [n, email] of officers.entries())
    await db
      .updateTable('member')
      .set({ manage_finance: 2, display_name: `Officer ${n + 1}`, address_proved_at: new Date() })
      .where('email', '=', email)
      .execute()
  await sql`
    with applicant as (
      insert into member (email) select 'older' || n || '@example.org' from generate_series(1, ${olderCases}) n
      returning id, email
    )
    insert into kyc_application (member_id, full_name, country, email, eth_address, created_at)
    select id, 'Older ' || substring(email from '[0-9]+'), 'Iceland', email, email,
      now() - interval '10 days' - substring(email from '[0-9]+')::int * interval '1 hour'
    from applicant`.execute(db)

  const signIn = (email: string | undefined) =>
    product.post('members/login', { email, password: goodPassword })
  return {
    async aCase(name, photos = [[800, 600]]) {
      const email = anEmail()
      await addMember(email)
      const { token } = (await (await signIn(email)).json()) as { token: string }
      const photoUrls = await Promise.all(photos.map(([width, height]) => aPhoto(width, height)))
      const body = { ...anApplicant(email), firstName: name, photoUrls }
      const answer = await product.post('kyc/create', body, { 'x-access-token': token })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { _id: string })._id
    },
    async anOfficer(language, { second = false, viewport = { width: 1280, height: 800 } } = {}) {
      const { page, context } = await aVisitor(product.url, { viewport })
      await page.addInitScript(([key, chosen]) => localStorage.setItem(key, chosen), [
        brand.storageKey,
        language,
      ] as const)
      const session = await signIn(officers[second ? 1 : 0])
      const cookies = session.headers.getSetCookie().map((line) => {
        const [, name, value, path] = /^([^=]+)=([^;]*).*?[Pp]ath=([^;]*)/.exec(line)!
        return { name: name!, value: value!, url: new URL(path!, product.url).href }
      })
      await context.addCookies(cookies)
      return page
    },
    officers,
    async stop() {
      await db.destroy()
      expect(await product.stop()).toBe(0)
      await removeTemporary(product.dataDir)
    },
  }
}

async function join(product: Product): Promise<string> {
  const email = anEmail()
  await product.post('members/create', { email, password: goodPassword, consents: acceptedConsents })
  const [mail] = await product.mailsTo(email)
  const link = new URL(/https?:\S+activate\S+/.exec(mail!.text)![0])
  const activation = `${product.url}/v2/members/activation/${email}/${link.searchParams.get('code')}`
  expect((await fetch(activation, { headers: { 'x-app-id': defaultAppId } })).status).toBe(200)
  return email
}

const aPhoto = async (width: number, height: number): Promise<string> => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#a98' } })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}
