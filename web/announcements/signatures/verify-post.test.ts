import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PublishedVersion, SignedDocument } from '#contract/publishing/signatures.ts'
import { verifyPost, type Key } from './verify-post.ts'

// The signatures in these tests were created by an independent implementation.
const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

function aKey(until: string | null = null) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = hash(publicKey.export({ type: 'spki', format: 'der' })).slice(0, 16)
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const key: Key = { keyId, pem, since: '2026-01-01T00:00:00.000Z', until }
  return { key, privateKey }
}
const own = aKey()

const post = {
  _id: 'p1',
  slug: 'release',
  title: '发布 “1.0”',
  language: 'en' as const,
  category: 'News',
  content: '<p>é 节点 😀</p>',
}

function signedVersion(
  fields: Partial<SignedDocument> = {},
  { key, privateKey }: ReturnType<typeof aKey> = own,
): PublishedVersion {
  const signed: SignedDocument = {
    site: 'https://coin.example',
    post: post._id,
    version: 1,
    slug: post.slug,
    language: post.language,
    title: post.title,
    category: post.category,
    publishedAt: '2026-11-02T09:00:00.000Z',
    contentSha256: hash(post.content),
    previousSha256: '',
    ...fields,
  }
  const document = JSON.stringify(signed)
  const signature = sign(null, Buffer.from(document), privateKey).toString('base64')
  const { version: n, publishedAt, title } = signed
  return { n, publishedAt, title, document, signature, keyId: key.keyId }
}

const verify = (versions: PublishedVersion[], shown: Partial<typeof post> = {}, keys = [own.key]) =>
  verifyPost({ ...post, ...shown }, versions, keys)

test('accepts a post shown as signed', () => {
  const verification = verify([signedVersion()])
  expect(verification).toMatchObject({ verdict: 'right', problems: [] })
  expect(verification.version).toMatchObject({ n: 1, site: 'https://coin.example', problems: [] })
  expect(verification.version!.fingerprint).toMatch(new RegExp(`^${own.key.keyId}[0-9a-f]{48}$`))
})

test.each([
  ['content', { content: '<p>é 节点 😁</p>' }],
  ['content', { content: '<p>e\u0301 节点 😀</p>' }],
  ['title', { title: '发布 "1.0"' }],
  ['address', { slug: 'release-2' }],
  ['category', { category: 'Events' }],
])('reports a %s that differs from the signed one', (problem, shown) => {
  expect(verify([signedVersion()], shown)).toMatchObject({ verdict: 'wrong', problems: [problem] })
})

test.each<[string, PublishedVersion, string]>([
  ['a signed text that was changed', tampered({ title: 'Send coins' }), 'signature'],
  ['a signature of nothing', { ...signedVersion(), signature: '' }, 'signature'],
  ['a signature that is no base64', { ...signedVersion(), signature: '!' }, 'signature'],
  ['the key of somebody else', signedVersion({}, aKey()), 'key'],
  ['a document of another post', signedVersion({ post: 'p2' }), 'document'],
  ['another version than it says', { ...signedVersion(), n: 2 }, 'document'],
  ['another time than it says', { ...signedVersion(), publishedAt: '2026-11-03T09:00:00.000Z' }, 'document'],
  ['a document that is none', { ...signedVersion(), document: '{' }, 'document'],
  ['a first version that names another', signedVersion({ previousSha256: hash('x') }), 'chain'],
])('detects %s', (_, version, problem) => {
  const verification = verify([version])
  expect(verification.verdict).toBe('wrong')
  expect(verification.version!.problems).toContain(problem)
})

function tampered(fields: Partial<SignedDocument>): PublishedVersion {
  const version = signedVersion()
  const document = JSON.stringify({ ...(JSON.parse(version.document) as SignedDocument), ...fields })
  return { ...version, title: fields.title ?? version.title, document }
}

test("rejects a key listed under another key's name", () => {
  const stranger = aKey()
  const masked = { ...stranger.key, keyId: own.key.keyId }
  const version = { ...signedVersion({}, stranger), keyId: own.key.keyId }
  expect(verify([version], {}, [masked]).version!.problems).toEqual(['key'])
})

test('accepts a retired key for versions published before it was retired', () => {
  const early = aKey('2026-11-02T10:00:00.000Z')
  expect(verify([signedVersion({}, early)], {}, [own.key, early.key]).verdict).toBe('right')
  const late = aKey('2026-11-02T08:00:00.000Z')
  expect(verify([signedVersion({}, late)], {}, [own.key, late.key]).version!.problems).toEqual(['retired'])
})

test('reports an earlier version as signed, but not the newest', () => {
  const first = signedVersion()
  const second = signedVersion({
    version: 2,
    contentSha256: hash('<p>Two</p>'),
    previousSha256: hash(first.document),
  })
  expect(verify([second, first])).toMatchObject({ verdict: 'older', version: { n: 1 } })
  expect(verify([second, first], { content: '<p>Two</p>' })).toMatchObject({ verdict: 'right' })
})

test('detects a version removed from the history', () => {
  const first = signedVersion()
  const second = signedVersion({ version: 2, contentSha256: hash('x'), previousSha256: hash(first.document) })
  const third = signedVersion({ version: 3, previousSha256: hash(second.document) })
  expect(verify([third, second, first]).history.flatMap(({ problems }) => problems)).toEqual([])
  expect(verify([third, first]).history.map(({ problems }) => problems)).toEqual([['chain'], []])
})

test('accepts nothing without a signature', () => {
  expect(verify([])).toEqual({ verdict: 'wrong', version: undefined, problems: [], history: [] })
})
