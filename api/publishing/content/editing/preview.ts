import type { api } from '#contract/api.ts'
import {
  readBrand as brandCall,
  readFacts as factsCall,
  readWords as wordsCall,
} from '#contract/publishing/content.ts'
import { readPublicSale as saleCall } from '#contract/money/public-sale.ts'
import type { CallOf, Endpoint, InputOf, OutputOf } from '#contract/platform/endpoint.ts'
import { contentPreviewMinutes } from '#contract/publishing/console-content.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { readContentFiles } from '../../../platform/site-content/content-files.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import type { Services } from '../../../platform/services.ts'
import { makeSiteContent, type SiteContent } from '../../../platform/site-content/site-content.ts'
import { readPublicSale } from '../../../money/sale/public-sale.ts'
import { readBrand, readFacts, readWords } from '../read-content.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import { baseFiles, type ItemValue, kindOf } from './content-item.ts'
import { listDrafts } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { readPublished } from './content-item.queries.ts'
import { deletePreviewsBeyond, findPreview, insertPreview } from './preview.queries.ts'
import { overridesOf, publishedValue, withoutBroken, withValues } from './site-state.ts'

/** The maximum number of previews per editor, in several tabs. */
const previewsMax = 10

export const createContentPreview: Handler<typeof api.createContentPreview> = (_, { db, caller }) =>
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
 * The content with all drafts applied, for a preview address while its editor is signed in and still has the
 * right. A draft that a page can't render is left out.
 */
async function openPreview(
  { db, config }: Pick<Services, 'db' | 'config'>,
  token: string,
): Promise<SiteContent | undefined> {
  if (!/^[\w-]{20,100}$/.test(token) || !(await findPreview(db, config, hashSecret(token)))) return undefined
  const files = baseFiles()
  const published = withoutBroken(files, await readPublished(db)).published
  const values = new Map<string, ItemValue>()
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

function canBeDrawn(piece: string, value: ItemValue): boolean {
  const kind = kindOf(piece)
  if (kind === 'facts') return factSchemas[piece as keyof typeof factSchemas].safeParse(value).success
  if (kind !== 'brand') return true
  const brand = { ...(baseFiles().json('brand.json') as object), ...(value as object) }
  return factSchemas['brand.json'].safeParse(brand).success
}

let read: ReturnType<typeof readContentFiles> | undefined
const readFilesOnce = () => (read ??= readContentFiles())

type Call = <E extends Endpoint>(endpoint: E, input: CallOf<E>) => Promise<OutputOf<E>>

/** The API that answers with drafts applied to the published content; all other calls are unchanged. */
export async function previewCall(services: Services, call: Call, token: string): Promise<Call | undefined> {
  const content = await openPreview(services, token)
  if (!content) return undefined
  const context = { ...services, content } as never
  // By path, because the built pages contain a copy of the contract.
  const answers = new Map<string, (input: never) => Promise<unknown>>([
    [wordsCall.path, (input) => readWords(input, context)],
    [factsCall.path, (input) => readFacts(input, context)],
    [brandCall.path, (input) => readBrand(input, context)],
    [saleCall.path, (input) => readPublicSale(input, context)],
  ])
  return async (endpoint, input) => {
    const answer = answers.get(endpoint.path)
    if (!answer) return call(endpoint, input)
    return (await answer(input as InputOf<typeof endpoint> as never)) as OutputOf<typeof endpoint>
  }
}
