import brand from '#content/brand.json' with { type: 'json' }
import sampleSale from '#content/samples/sale.json' with { type: 'json' }
import { DAY } from '#contract/platform/durations.ts'
import type { PayChain } from '#contract/money/sale.ts'
import { transaction, type Tx } from '#api/platform/db/database.ts'
import { randomSecret } from '#api/platform/keys.ts'
import { insertOrFindMember, updateMemberRow, type MemberChange } from '#api/people/members/member.queries.ts'
import { findSale, replaceSale } from '#api/money/sale/sale.queries.ts'
import { hasContent, lockSeed } from '#api/seed.queries.ts'
import type { Services } from '#api/platform/services.ts'
import { insertSampleWorld } from './insert-world.ts'
import { storeSampleAttachment, type SampleAttachment } from './conversations.ts'
import { storeSampleDocuments, type SampleFiles } from './kyc-cases.ts'
import { sampleLevels } from './operators.ts'
import { insertSamplePosts, storeSampleCards } from './posts.ts'

/** A sample account whose password is printed at the first start. */
export type SampleMember = { email: string; password: string; title: string; access: string }

/**
 * Prepares a demo: a sale and, in an empty database, sample posts; on a developer's machine also two accounts and demo
 * data. Returns the accounts to print. `onStart` is called before the work that takes seconds.
 */
export async function seedDemo(services: Services, onStart = () => {}): Promise<SampleMember[]> {
  const { db, config } = services
  if (!config.isDemo) return []
  const isFirst = !(await hasContent(db))
  if (isFirst) onStart()
  // Passwords are printed only on a developer's screen, never in a server's log.
  const prepared = isFirst && config.isLocal && !config.isProduction ? await prepare(services) : undefined
  const cards = isFirst ? await storeSampleCards(services) : undefined
  return transaction(db, async (db) => {
    await lockSeed(db)
    if (!(await findSale(db))) await insertSampleSale(db)
    if (!isFirst || (await hasContent(db))) return []
    const accounts = []
    for (const member of prepared?.members ?? []) accounts.push(await insertSampleMember(db, member))
    await insertSamplePosts(db, services, cards)
    if (!prepared) return []
    const { members, world } = prepared
    if (!world) return members
    const [admin, member] = members
    await insertSampleWorld(db, services, {
      ...world,
      domain,
      admin: accounts[0]!,
      member: accounts[1]!,
      peopleHash: member!.passwordHash,
    })
    return [admin!, { ...member!, access: 'can order tokens' }, ...operatorsWith(world.password)]
  })
}

/** How long the sample sale stays open after the first start, in milliseconds. */
const saleTime = 180 * DAY

/** Nobody owns these addresses, so coins sent there are lost. */
const insertSampleSale = (db: Tx): Promise<void> =>
  replaceSale(
    db,
    {
      ...sampleSale,
      closesAt: new Date(Date.now() + saleTime).toISOString(),
      payMethods: sampleSale.payMethods.map((method) => ({ ...method, chain: method.chain as PayChain })),
    },
    null,
  )

const domain = brand.email.split('@')[1] ?? 'example.org'

type PreparedMember = SampleMember & { isAdmin: boolean; passwordHash: string }
type PreparedWorld = {
  password: string
  operatorsHash: string
  files: SampleFiles
  attachment: SampleAttachment
}

/** Does the slow work before the lock is acquired, because others wait for the lock. */
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
    access: isAdmin ? 'everything' : 'no staff rights',
    passwordHash: await passwords.hash(password),
  }
}

async function prepareWorld(services: Services): Promise<PreparedWorld> {
  const password = randomSecret(12)
  const [operatorsHash, files, attachment] = await Promise.all([
    services.passwords.hash(password),
    storeSampleDocuments(services),
    storeSampleAttachment(services),
  ])
  return { password, operatorsHash, files, attachment }
}

/** All levels share one password, so that nobody has to look it up during a demonstration. */
const operatorsWith = (password: string): SampleMember[] =>
  sampleLevels.map(({ name, title, access }) => ({ email: `${name}@${domain}`, password, title, access }))

const allRights: MemberChange = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

async function insertSampleMember(db: Tx, sample: PreparedMember): Promise<{ id: string; email: string }> {
  const member = await insertOrFindMember(db, sample.email, 'en')
  await updateMemberRow(db, member.id, {
    active: true,
    password_hash: sample.passwordHash,
    password_length_ok_for_staff: true,
    address_proved_at: new Date(),
    display_name: sample.isAdmin ? 'Sample administrator' : 'Sample member',
    ...(sample.isAdmin ? allRights : {}),
  })
  return member
}
