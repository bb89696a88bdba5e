import brand from '#content/brand.json' with { type: 'json' }
import sampleSale from '#content/samples/sale.json' with { type: 'json' }
import type { PayChain } from '#contract/sale.ts'
import { insertSamplePosts } from './announcements/insert-sample-posts.ts'
import { insertSampleWorld } from './insert-sample-world.ts'
import { storeSampleDocuments, type SampleFiles } from './kyc/insert-sample-cases.ts'
import { sampleLevels } from './members/insert-sample-operators.ts'
import { keepAppRecord } from './apps/app.queries.ts'
import { transaction, type Tx } from './db/database.ts'
import { randomSecret } from './keys.ts'
import { insertOrFindMember, updateMemberRow, type MemberChange } from './members/member.queries.ts'
import { findSale, replaceSale } from './sale/sale.queries.ts'
import { hasContent, lockSeed } from './seed.queries.ts'
import type { Services } from './services.ts'

export type SampleMember = { email: string; password: string; title: string; may: string }

/**
 * The installation's own record, and in a demo's empty database sample posts and, on a developer's machine, two sample members
 * and a small world around them.
 */
export async function seed(services: Services): Promise<SampleMember[]> {
  const { db, config } = services
  const { documents, email } = services.content.brand()
  const isFirst = config.isDemo && !(await hasContent(db))
  // Printed passwords belong on a developer's screen, not into the log of a server.
  const prepared = isFirst && config.isLocal && !config.isProduction ? await prepare(services) : undefined
  return transaction(db, async (db) => {
    await lockSeed(db)
    await keepAppRecord(db, {
      _id: config.appId,
      name: brand.name,
      fullName: brand.name,
      coins: [{ symbol: brand.ticker }],
      docs: Object.values(documents)
        .flat()
        .filter((name) => name !== undefined)
        .map((name) => ({
          name,
          type: 'pdf',
          url: new URL(`/assets/pdfs/${name}-en.pdf`, config.publicUrl).href,
        })),
      contact: email,
    })
    if (config.isDemo && !(await findSale(db))) await insertSampleSale(db)
    if (!isFirst || (await hasContent(db))) return []
    const ids = []
    for (const member of prepared?.members ?? []) ids.push(await insertSampleMember(db, member))
    await insertSamplePosts(db, services)
    if (!prepared) return []
    const { members, world } = prepared
    if (!world) return members
    const [admin, member] = members
    await insertSampleWorld(db, services, {
      ...world,
      domain,
      adminId: ids[0]!,
      accounts: ids,
      peopleHash: member!.passwordHash,
    })
    return [admin!, member!, ...operatorsWith(world.password)]
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

const domain = brand.email.split('@')[1] ?? 'example.org'

type PreparedMember = SampleMember & { isAdmin: boolean; passwordHash: string }
type PreparedWorld = { password: string; operatorsHash: string; files: SampleFiles }

/** What takes long, before the lock is taken: others wait for it. */
async function prepare(
  services: Services,
): Promise<{ members: PreparedMember[]; world: PreparedWorld | undefined }> {
  const { config, passwords } = services
  const [members, world] = await Promise.all([
    Promise.all(['admin', 'member'].map((name) => prepareMember(passwords, name))),
    config.hasDemoWorld ? prepareWorld(services) : undefined,
  ])
  return { members, world }
}

async function prepareMember(passwords: Services['passwords'], name: string): Promise<PreparedMember> {
  const password = randomSecret(12)
  const isAdmin = name === 'admin'
  return {
    email: `${name}@${domain}`,
    password,
    isAdmin,
    title: name,
    may: isAdmin
      ? 'may do everything'
      : 'has no rights; in a demo with people, person.2@people.example and the others have the same password',
    passwordHash: await passwords.hash(password),
  }
}

async function prepareWorld(services: Services): Promise<PreparedWorld> {
  const password = randomSecret(12)
  const [operatorsHash, files] = await Promise.all([
    services.passwords.hash(password),
    storeSampleDocuments(services),
  ])
  return { password, operatorsHash, files }
}

/** One password for all levels, so that a demo is shown without looking each one up. */
const operatorsWith = (password: string): SampleMember[] =>
  sampleLevels.map(({ name, title, may }) => ({ email: `${name}@${domain}`, password, title, may }))

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

async function insertSampleMember(db: Tx, sample: PreparedMember): Promise<string> {
  const member = await insertOrFindMember(db, sample.email, 'en')
  await updateMemberRow(db, member.id, {
    active: true,
    password_hash: sample.passwordHash,
    password_length_ok_for_staff: true,
    address_proved_at: new Date(),
    display_name: sample.isAdmin ? 'Sample administrator' : 'Sample member',
    ...(sample.isAdmin ? allRights : {}),
  })
  return member.id
}
