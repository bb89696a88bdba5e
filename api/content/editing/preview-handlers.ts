import type { api } from '#contract/api.ts'
import { contentPreviewMinutes } from '#contract/console-content.ts'
import { MINUTE } from '#contract/durations.ts'
import { readContentFiles } from '../../content-files.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { hashSecret, randomSecret } from '../../keys.ts'
import type { Services } from '../../services.ts'
import { makeSiteContent, type SiteContent } from '../../site-content.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import { baseFiles } from './base-files.ts'
import { listDrafts } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { kindOf, type PieceValue } from './piece.ts'
import { readPublished } from './piece.queries.ts'
import { deletePreviewsBeyond, findPreview, insertPreview } from './preview.queries.ts'
import { overridesOf, publishedValue, withoutBroken, withValues } from './site-state.ts'

/** Of one editor, in their tabs. */
const previewsMax = 10

export const makeContentPreview: Handler<typeof api.makeContentPreview> = (_, { db, caller }) =>
  transaction(db, async (db) => {
    const token = randomSecret(32)
    const expiresAt = await insertPreview(db, {
      hash: hashSecret(token),
      memberId: caller.memberId,
      sessionId: caller.sessionId,
      life: contentPreviewMinutes * MINUTE,
    })
    await deletePreviewsBeyond(db, caller.memberId, previewsMax)
    return { address: `/content-preview/${token}/`, expiresAt: expiresAt.toISOString() }
  })

/**
 * What the site would say with all drafts, for whoever has the address of a preview and is still signed in as an editor. A
 * draft that a page could not draw is left out.
 */
export async function openPreview(
  { db, config }: Pick<Services, 'db' | 'config'>,
  token: string,
): Promise<SiteContent | undefined> {
  if (!/^[\w-]{20,100}$/.test(token) || !(await findPreview(db, config, hashSecret(token)))) return undefined
  const files = baseFiles()
  const published = withoutBroken(files, await readPublished(db)).published
  const values = new Map<string, PieceValue>()
  const drafts = await listDrafts(db)
  for (const piece of new Set(drafts.map((each) => each.piece))) {
    const entries = drafts.filter((each) => each.piece === piece)
    const value = withDraft(piece, publishedValue(files, published, piece), entries)
    if (canBeDrawn(piece, value)) values.set(piece, value)
  }
  const content = makeSiteContent(readFilesOnce)
  content.override(overridesOf(files, withValues(files, published, values)))
  return content
}

function canBeDrawn(piece: string, value: PieceValue): boolean {
  const kind = kindOf(piece)
  if (kind === 'facts') return factSchemas[piece as keyof typeof factSchemas].safeParse(value).success
  if (kind !== 'brand') return true
  const brand = { ...(baseFiles().json('brand.json') as object), ...(value as object) }
  return factSchemas['brand.json'].safeParse(brand).success
}

let read: ReturnType<typeof readContentFiles> | undefined
const readFilesOnce = () => (read ??= readContentFiles())
