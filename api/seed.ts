import brand from '#content/brand.json' with { type: 'json' }
import sampleSale from '#content/samples/sale.json' with { type: 'json' }
import type { PayChain } from '#contract/sale.ts'
import { insertSamplePosts } from './announcements/insert-sample-posts.ts'
import { keepAppRecord } from './apps/app.queries.ts'
import { transaction, type Tx } from './db/database.ts'
import { randomSecret } from './keys.ts'
import { insertOrFindMember, updateMemberRow, type MemberChange } from './members/member.queries.ts'
import { findSale, replaceSale } from './sale/sale.queries.ts'
import { hasContent, lockSeed } from './seed.queries.ts'
import type { Services } from './services.ts'

export type SampleMember = { email: string; password: string; isAdmin: boolean }

/** The installation's own record, and in a demo's empty database sample posts and, on a developer's machine, two sample members. */
export async function seed(services: Services): Promise<SampleMember[]> {
  const { db, config, passwords } = services
  // Printed passwords belong on a developer's screen, not into the log of a server.
  const members =
    config.isDemo && config.isLocal && !config.isProduction ? await prepareMembers(passwords) : []
  return transaction(db, async (db) => {
    await lockSeed(db)
    await keepAppRecord(db, {
      _id: config.appId,
      name: brand.name,
      fullName: brand.name,
      coins: [{ symbol: brand.ticker }],
      docs: Object.values(brand.documents).map((name) => ({
        name,
        type: 'pdf',
        url: new URL(`/assets/pdfs/${name}-en.pdf`, config.publicUrl).href,
      })),
      contact: brand.email,
    })
    if (config.isDemo && !(await findSale(db))) await insertSampleSale(db)
    if (!config.isDemo || (await hasContent(db))) return []
    for (const member of members) await insertSampleMember(db, member)
    await insertSamplePosts(db, services)
    return members
  })
}

/** These addresses belong to nobody: coins sent there are lost. */
const insertSampleSale = (db: Tx): Promise<void> =>
  replaceSale(
    db,
    {
      ...sampleSale,
      payMethods: sampleSale.payMethods.map((method) => ({ ...method, chain: method.chain as PayChain })),
    },
    null,
  )

type PreparedMember = SampleMember & { passwordHash: string }

/** Hashed before the lock is taken: others wait for it. */
async function prepareMembers(passwords: Services['passwords']): Promise<PreparedMember[]> {
  const domain = brand.email.split('@')[1] ?? 'example.org'
  return Promise.all(
    ['admin', 'member'].map(async (name) => {
      const password = randomSecret(12)
      return {
        email: `${name}@${domain}`,
        password,
        isAdmin: name === 'admin',
        passwordHash: await passwords.hash(password),
      }
    }),
  )
}

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

async function insertSampleMember(db: Tx, sample: PreparedMember): Promise<void> {
  const member = await insertOrFindMember(db, sample.email, 'en')
  await updateMemberRow(db, member.id, {
    active: true,
    password_hash: sample.passwordHash,
    password_length_ok_for_staff: true,
    address_proved_at: new Date(),
    display_name: sample.isAdmin ? 'Sample administrator' : 'Sample member',
    ...(sample.isAdmin ? allRights : {}),
  })
}
