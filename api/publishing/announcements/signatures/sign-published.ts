import { createHash, sign } from 'node:crypto'
import type { SignedDocument } from '#contract/publishing/signatures.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Keys } from '../../../platform/keys.ts'
import type { Worker } from '../../../platform/module.ts'
import type { Services } from '../../../platform/services.ts'
import { getSigningKey, type SigningKey } from './signing-key.ts'
import {
  listLastSigned,
  listUnsigned,
  lockSomeUnsigned,
  setSignatures,
  type Signed,
} from './signature.queries.ts'

type Needs = { keys: Keys; config: Pick<Config, 'publicUrl'> }

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

type PublicVersion = Awaited<ReturnType<typeof listUnsigned>>[number]

/** Signs a version. `before` is the document signed last for the post. */
function signVersion(
  key: SigningKey,
  { publicUrl }: Needs['config'],
  version: PublicVersion,
  before?: string,
): Omit<Signed, 'postId' | 'n'> {
  // The order of the members is part of what is signed.
  const content: SignedDocument = {
    site: publicUrl.origin,
    post: version.post_id,
    version: version.n,
    slug: version.slug,
    language: version.language,
    title: version.title,
    category: version.category,
    publishedAt: version.published_at!.toISOString(),
    contentSha256: sha256(version.content),
    previousSha256: before === undefined ? '' : sha256(before),
  }
  const document = JSON.stringify(content)
  const signature = sign(null, Buffer.from(document, 'utf8'), key.privateKey).toString('base64')
  return { document, signature, keyId: key.id }
}

/** Signs the public versions of these posts that are not signed yet. The posts are locked, so that each document names the one before. */
export async function signPublished(
  db: Tx,
  { keys, config }: Needs,
  postIds: readonly string[],
): Promise<void> {
  const versions = await listUnsigned(db, postIds)
  if (versions.length === 0) return
  const key = await getSigningKey(db, keys)
  const last = new Map((await listLastSigned(db, postIds)).map((row) => [row.post_id, row.signed_document!]))
  const signed = versions.map((version): Signed => {
    const before = last.get(version.post_id)
    const made = signVersion(key, config, version, before)
    last.set(version.post_id, made.document)
    return { ...made, postId: version.post_id, n: version.n }
  })
  await setSignatures(db, signed)
}

/** Whether the address in the last signed document is no longer the post's. */
export async function isSignedElsewhere(db: Tx, postId: string, slug: string): Promise<boolean> {
  const [last] = await listLastSigned(db, [postId])
  return last !== undefined && (JSON.parse(last.signed_document!) as SignedDocument).slug !== slug
}

const postsAtOnce = 100

type Work = Needs & Pick<Services, 'db' | 'lifecycle' | 'maintenance'>

/** Signs versions published before signatures were introduced. If interrupted, it continues at the next start. */
export async function signBacklog({ db, lifecycle, maintenance, ...needs }: Work): Promise<void> {
  const signSome = () =>
    transaction(db, async (db) => {
      const ids = await lockSomeUnsigned(db, postsAtOnce)
      if (ids.length > 0) await signPublished(db, needs, ids)
      return ids.length
    })
  while (!lifecycle.isStopping && !(await maintenance.check()) && (await signSome()) === postsAtOnce);
}

/** Runs in the background after startup. The next cleanup retries what fails. */
export function startSigningBacklog(services: Work & Pick<Services, 'log'>): Worker {
  const work = signBacklog(services).catch((error: unknown) =>
    services.log.warn(
      { name: error instanceof Error ? error.name : 'unknown' },
      'older posts are signed with the next clean-up',
    ),
  )
  return { stop: () => work }
}
