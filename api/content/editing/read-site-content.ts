import type { Database } from '../../db/database.ts'
import { makeSiteContent, type SiteContent } from '../../site-content.ts'
import { baseFiles } from './base-files.ts'
import { readPublished } from './piece.queries.ts'
import { overridesOf, withoutBroken } from './site-state.ts'

/** The content as it is published now, for a command that only reads. */
export async function readSiteContent(db: Database): Promise<SiteContent> {
  const content = makeSiteContent()
  const files = baseFiles()
  content.override(overridesOf(files, withoutBroken(files, await readPublished(db)).published))
  return content
}
