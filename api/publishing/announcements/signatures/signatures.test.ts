import { createPublicKey } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import {
  signedDocument,
  type PublishedVersion,
  type SignedDocument,
} from '#contract/publishing/signatures.ts'
import { aPost } from '#tests/builders.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { markPublished } from '../mark-published.ts'
import { publishWhatIsDue } from '../newsroom/publish-worker.ts'
import { listenToChanges, topics } from '../../../platform/db/changes.ts'
import { transaction } from '../../../platform/db/database.ts'
import { signBacklog } from './sign-published.ts'
import { changeSigningKey } from './signing-key.ts'

const started = await startApi({ PUBLIC_URL: 'https://coin.example/' }, afterAll)
const { services, call } = started
const news = await aNewsroom(started)

const hash = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))
const versionsOf = ({ language, slug }: Pick<Announcement, 'language' | 'slug'>) =>
  call(api.listPublishedVersions, { params: { lang: language, slug } })
const signedOf = async (post: Pick<Announcement, 'language' | 'slug'>) => (await versionsOf(post)).body
const keys = async () => (await call(api.listSigningKeys, {})).body
const documentOf = (version: PublishedVersion) => JSON.parse(version.document) as SignedDocument
const save = (post: Announcement, fields: Parameters<typeof aPost>[0] = {}) =>
  news.call(api.updateAnnouncement, {
    body: {
      _id: post._id,
      ...aPost({ title: post.title, language: post.language, content: post.content, ...fields }),
    },
  })
const step = (name: 'publishPost' | 'unpublishPost', id: string) =>
  news.call(api[name], { params: { id }, body: {} as never })

/** Verifies with a different implementation than the one that signs. */
async function isRight({ document, signature, keyId }: PublishedVersion): Promise<boolean> {
  const key = (await keys()).find((each) => each.keyId === keyId)
  if (!key) return false
  const { x } = createPublicKey(key.pem).export({ format: 'jwk' })
  return ed25519.verify(Buffer.from(signature, 'base64'), utf8ToBytes(document), Buffer.from(x!, 'base64url'))
}

test('signs what becomes public exactly as the contract specifies', async () => {
  const post = await news.create({ title: '发布 “1.0”', content: '<p>é 节点</p>' })
  const [version, ...others] = await signedOf(post)
  expect(others).toEqual([])
  const document = documentOf(version!)
  expect(signedDocument.parse(document)).toEqual({
    site: 'https://coin.example',
    post: post._id,
    version: 1,
    slug: post.slug,
    language: 'en',
    title: '发布 “1.0”',
    category: 'News',
    publishedAt: version!.publishedAt,
    contentSha256: hash(post.content),
    previousSha256: '',
  })
  expect(Object.keys(document)).toEqual(Object.keys(signedDocument.shape))
  expect(version!.document).toBe(JSON.stringify(document))
  expect(version!.publishedAt).toBe(post.postedDate)
  expect(await isRight(version!)).toBe(true)
})

test('other content, title, or key does not match the signature', async () => {
  const [version] = await signedOf(await news.create())
  const other = { ...documentOf(version!), title: 'Another' }
  expect(await isRight({ ...version!, document: JSON.stringify(other) })).toBe(false)
  const forged = { ...documentOf(version!), contentSha256: hash('<p>Send coins</p>') }
  expect(await isRight({ ...version!, document: JSON.stringify(forged) })).toBe(false)
  const stranger = ed25519.keygen()
  const signature = Buffer.from(ed25519.sign(utf8ToBytes(version!.document), stranger.secretKey))
  expect(await isRight({ ...version!, signature: signature.toString('base64') })).toBe(false)
})

test('each version names the previously published one, ignoring drafts in between', async () => {
  const post = await news.create()
  await save(post, { content: '<p>Two</p>' })
  await step('unpublishPost', post._id)
  expect((await versionsOf(post)).status).toBe(404)
  await save(post, { content: '<p>Never public</p>' })
  await save(post, { content: '<p>Four</p>' })
  await step('publishPost', post._id)
  const chain = (await signedOf(post)).reverse()
  expect(chain.map(({ n }) => n)).toEqual([1, 2, 4])
  expect(chain.map((each) => documentOf(each).previousSha256)).toEqual([
    '',
    hash(chain[0]!.document),
    hash(chain[1]!.document),
  ])
  for (const version of chain) expect(await isRight(version)).toBe(true)
})

test('republishing unchanged keeps the version and its signature', async () => {
  const post = await news.create()
  const before = await signedOf(post)
  await step('unpublishPost', post._id)
  await step('publishPost', post._id)
  expect(await signedOf(post)).toEqual(before)
  await news.remove(post._id)
  expect((await versionsOf(post)).status).toBe(404)
  await news.call(api.restorePost, { params: { id: post._id }, body: {} })
  expect(await signedOf(post)).toEqual(before)
})

test('signs a restored version again', async () => {
  const post = await news.create({ content: '<p>One</p>' })
  await save(post, { content: '<p>Two</p>' })
  await news.call(api.restorePostVersion, { params: { id: post._id, n: 1 }, body: {} })
  const [newest, , first] = await signedOf(post)
  expect(documentOf(newest!)).toMatchObject({ version: 3, contentSha256: documentOf(first!).contentSha256 })
  expect(await isRight(newest!)).toBe(true)
})

test('signs a scheduled post when it is due, not before', async () => {
  const post = await news.create({ status: 'scheduled', ...inTime(1500) })
  await publishWhatIsDue(services)
  expect((await versionsOf(post)).status).toBe(404)
  await expect
    .poll(async () => {
      await publishWhatIsDue(services)
      return (await versionsOf(post)).status
    })
    .toBe(200)
  const [version] = await signedOf(post)
  expect(await isRight(version!)).toBe(true)
  expect(version!.publishedAt >= post.postedDate).toBe(true)
})

test('signs a post again when it moves to its translation’s address', async () => {
  const english = await news.create({ title: 'Moving in' })
  const chinese = await news.create({ title: 'Moving', language: 'cn' })
  await news.call(api.linkTranslations, { params: { id: chinese._id }, body: { translationOf: english._id } })
  const at = { language: 'cn' as const, slug: english.slug }
  expect((await signedOf(at)).map((each) => documentOf(each).slug)).toEqual([english.slug, chinese.slug])
  expect((await news.read(chinese._id)).version).toBe(2)
  await step('unpublishPost', chinese._id)
  await news.call(api.unlinkTranslation, { params: { id: chinese._id }, body: {} })
  await step('publishPost', chinese._id)
  const { slug } = await news.read(chinese._id)
  expect((await signedOf({ language: 'cn', slug })).map((each) => documentOf(each).slug)).toEqual([
    slug,
    english.slug,
    chinese.slug,
  ])
})

test('publishes and signs together or not at all', async () => {
  const post = await news.create({ status: 'draft' })
  const cut = transaction(services.db, async (db) => {
    await markPublished(db, services, post._id)
    throw new Error('cut off')
  })
  await expect(cut).rejects.toThrow('cut off')
  const cannotSign = {
    ...services,
    keys: {
      ...services.keys,
      open: () => {
        throw new Error('cannot open')
      },
    },
  }
  const without = transaction(services.db, (db) => markPublished(db, cannotSign, post._id))
  await expect(without).rejects.toMatchObject({ name: 'SigningKeyNotOpened' })
  expect(await news.read(post._id)).toMatchObject({ state: 'draft' })
  expect((await versionsOf(post)).status).toBe(404)
})

test('after a key change, old signatures stay verifiable and new ones use the new key', async () => {
  const post = await news.create()
  const { retired, made } = await changeSigningKey(services.db, services.keys)
  await save(post, { content: '<p>Two</p>' })
  const [second, first] = await signedOf(post)
  expect([second!.keyId, first!.keyId]).toEqual([made, retired])
  expect([await isRight(second!), await isRight(first!)]).toEqual([true, true])
  const [now, before] = await keys()
  expect(now).toMatchObject({ keyId: made, until: null })
  expect(before!.keyId).toBe(retired)
  expect(first!.publishedAt <= before!.until!).toBe(true)
  const der = createPublicKey(now!.pem).export({ type: 'spki', format: 'der' })
  expect(made).toBe(bytesToHex(sha256(der)).slice(0, 16))
})

test('only the master key can decrypt the private key', async () => {
  const rows = await services.db.selectFrom('signing_key').selectAll().execute()
  for (const row of rows) {
    expect(row.sealed_private_key.toString('latin1')).not.toContain('PRIVATE KEY')
    expect(services.keys.open('signing', row.id, row.sealed_private_key)).toContain('PRIVATE KEY')
  }
})

test('signs posts from before signatures once, in any instance', async () => {
  const fresh = await startApi()
  const { db } = fresh.services
  const posts = 120
  await sql`
    with made as (insert into announcement (slug, title, category, language, content, content_summary)
      select 'old-' || n, 'Old ' || n, 'News', 'en', '<p>' || n || '</p>', '' from generate_series(1, ${posts}::int) n returning *),
    one as (insert into announcement_version (announcement_id, n, title, category, language, content, published_at)
      select id, 1, title, category, language, content, posted_at from made)
    insert into announcement_version (announcement_id, n, title, category, language, content, published_at)
      select id, 2, title, category, language, content || 'x', posted_at from made`.execute(db)
  const others = [await startAnotherInstance(fresh), await startAnotherInstance(fresh)]
  const changes = listenToChanges(fresh.services.config.databaseUrl!)
  onTestFinished(() => changes.close())
  const heard: string[] = []
  changes.on((topic) => heard.push(topic))
  await expect.poll(() => heard).toEqual([...topics])
  await Promise.all([fresh, ...others].map((each) => signBacklog(each.services)))
  await signBacklog(fresh.services)
  const rows = await db
    .selectFrom('announcement_version')
    .select(['n', 'announcement_id', 'signed_document', 'signature'])
    .orderBy('n')
    .execute()
  expect(rows.filter(({ signature }) => signature !== null)).toHaveLength(2 * posts)
  const first = new Map(
    rows.filter(({ n }) => n === 1).map((row) => [row.announcement_id, row.signed_document!]),
  )
  for (const row of rows.filter(({ n }) => n === 2))
    expect(JSON.parse(row.signed_document!)).toMatchObject({
      previousSha256: hash(first.get(row.announcement_id)!),
    })
  expect(await db.selectFrom('signing_key').select('id').execute()).toHaveLength(1)
  // The cached list of keys is invalidated, since there is a key now.
  await expect.poll(() => heard.slice(topics.length)).toEqual(['announcements'])
})

test('two concurrent key changes both succeed', async () => {
  const fresh = await startApi()
  const other = await startAnotherInstance(fresh)
  await changeSigningKey(fresh.services.db, fresh.services.keys)
  const ends = await Promise.allSettled(
    [fresh, other].map(({ services: each }) => changeSigningKey(each.db, each.keys)),
  )
  const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.made] : []))
  const [inUse, ...others] = (await fresh.call(api.listSigningKeys, {})).body
  // The second one either came after the first, or was notified.
  expect(made).toContain(inUse!.keyId)
  expect(others.every(({ until }) => until !== null)).toBe(true)
  expect(others).toHaveLength(made.length)
})

test('publishing and editing during a key change use the current key', async () => {
  const old = await news.create({ title: 'Edited meanwhile' })
  const write = async (n: number) => {
    await news.create({ title: `Made meanwhile ${n}` })
    await save(old, { content: `<p>${n}</p>` })
  }
  const [change] = await Promise.all([
    changeSigningKey(services.db, services.keys),
    ...[1, 2, 3, 4, 5, 6].map(write),
  ])
  const made = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => signedOf({ language: 'en', slug: `made-meanwhile-${n}` })),
  )
  const versions = [...made.flat(), ...(await signedOf(old))]
  expect(versions).toHaveLength(6 + 7)
  const until = (await keys()).find(({ keyId }) => keyId === change.retired)!.until!
  for (const version of versions) {
    expect(await isRight(version)).toBe(true)
    if (version.keyId === change.retired) expect(version.publishedAt <= until).toBe(true)
  }
})
