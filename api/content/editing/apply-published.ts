import { transaction } from '../../db/database.ts'
import { setMailTexts } from '../../mail/render-mail.ts'
import type { Services } from '../../services.ts'
import { baseFiles } from './base-files.ts'
import { ambassadorEntries, takeEntryAddresses } from './entry-addresses.ts'
import { readPublished, readRevision, setLeftOut } from './piece.queries.ts'
import { overridesOf, withoutBroken } from './site-state.ts'

type Needed = Pick<Services, 'db' | 'content' | 'keys' | 'log'>
type Applied = { revision: string; leftOut: readonly string[] }

const applied = new WeakMap<Services['content'], Applied>()
const running = new WeakMap<Services['content'], Promise<void>>()

/**
 * Shows what is published: reads it from the database and lays it over the files. Where nothing changed it costs one short
 * query. One after the other, so that an older state never comes last.
 */
export function applyPublished(services: Needed): Promise<void> {
  const before = running.get(services.content) ?? Promise.resolve()
  const next = before.catch(() => {}).then(() => apply(services))
  running.set(services.content, next)
  return next
}

async function apply({ db, content, keys, log }: Needed): Promise<void> {
  const known = applied.get(content)
  if (known && known.revision === (await readRevision(db))) return
  // One snapshot: what was published between two queries would be missed.
  const { published, revision } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => ({ revision: await readRevision(db), published: await readPublished(db) }))
  const files = baseFiles()
  const { published: shown, leftOut } = withoutBroken(files, published)
  content.override(overridesOf(files, shown))
  setMailTexts((language) => content.mailTexts(language))
  applied.set(content, { revision, leftOut })
  if (leftOut.length > 0)
    log.warn({ pieces: leftOut }, 'published content breaks the rules of this release and is not shown')
  if (leftOut.includes('messages/legal'))
    log.error('members are asked for the versions of the legal texts that this release has in its files')
  await transaction(db, async (db) => {
    await setLeftOut(db, leftOut)
    const taken = await takeEntryAddresses(db, keys, content.facts(ambassadorEntries))
    if (taken.length > 0)
      log.warn(
        { count: taken.length },
        'entries of ambassadors have addresses of ambassadors who joined, who are shown there',
      )
  })
}
