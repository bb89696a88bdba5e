import { transaction, type Database } from '../../../platform/db/database.ts'
import { setMailTexts } from '../../../platform/mail/render-mail.ts'
import type { Services } from '../../../platform/services.ts'
import { makeSiteContent, type SiteContent } from '../../../platform/site-content/site-content.ts'
import { baseFiles } from './content-item.ts'
import { ambassadorEntries, claimEntryAddresses } from './entry-addresses.ts'
import { readPublished, readRevision, setLeftOut } from './content-item.queries.ts'
import { overridesOf, withoutBroken } from './site-state.ts'

type Needed = Pick<Services, 'db' | 'content' | 'keys' | 'log'>
type Applied = { revision: string; leftOut: readonly string[] }

const applied = new WeakMap<Services['content'], Applied>()
const running = new WeakMap<Services['content'], Promise<void>>()

/**
 * Reads the published content from the database and applies it over the files. Without changes it costs one
 * short query. Runs one after the other, so that an older state never comes last.
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
  // One snapshot, because content published between two queries would be missed.
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
    log.error('members are asked to accept the versions of the legal text in the files of this release')
  await transaction(db, async (db) => {
    await setLeftOut(db, leftOut)
    const taken = await claimEntryAddresses(db, keys, content.facts(ambassadorEntries))
    if (taken.length > 0)
      log.warn(
        { count: taken.length },
        'some ambassador entries use page addresses of ambassadors who joined; those addresses show the ambassadors who joined',
      )
  })
}

/** The published content, for read-only commands. */
export async function readSiteContent(db: Database): Promise<SiteContent> {
  const content = makeSiteContent()
  const files = baseFiles()
  content.override(overridesOf(files, withoutBroken(files, await readPublished(db)).published))
  return content
}
