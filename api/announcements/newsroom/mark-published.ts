import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { setPublished } from '../announcement.queries.ts'
import { isSignedElsewhere, signPublished } from '../signatures/sign-published.ts'
import { markNewestPublic, repeatNewest } from '../versions/version.queries.ts'

/**
 * The only way in which a version of a post becomes public: when it is published, when its time has come, when a public
 * post is saved and when it comes back from the trash. In the transaction of its cause.
 */
export async function markPublished(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  postId: string,
): Promise<void> {
  const slug = await setPublished(db, postId)
  // What is signed names its address: with another one the same text is a version of its own.
  if (await isSignedElsewhere(db, postId, slug)) await repeatNewest(db, postId)
  await markNewestPublic(db, postId)
  await signPublished(db, services, [postId])
}
