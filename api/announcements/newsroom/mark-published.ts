import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { setPublished } from '../announcement.queries.ts'
import { markNewestPublic } from '../versions/version.queries.ts'

/**
 * The only way in which a version of a post becomes public: when it is published, when its time has come, when a public
 * post is saved and when it comes back from the trash. In the transaction of its cause.
 */
export async function markPublished(
  db: Tx,
  _services: Pick<Services, 'keys' | 'config'>,
  postId: string,
): Promise<void> {
  await setPublished(db, postId)
  await markNewestPublic(db, postId)
}
