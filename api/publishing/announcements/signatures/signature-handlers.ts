import type { api } from '#contract/api.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { languageIn } from '../read-posts.ts'
import { listSigned } from './signature.queries.ts'
import { listKeys } from './signing-key.queries.ts'

export const listPublishedVersions: Handler<typeof api.listPublishedVersions> = async (
  { params },
  { db },
) => {
  const rows = await listSigned(db, languageIn(params.lang), params.slug)
  if (rows.length === 0) throw new Refused('not_found')
  return rows.map((row) => ({
    n: row.n,
    publishedAt: row.published_at!.toISOString(),
    title: row.title,
    document: row.signed_document!,
    signature: row.signature!,
    keyId: row.signing_key_id!,
  }))
}

export const listSigningKeys: Handler<typeof api.listSigningKeys> = async (_input, { db }) =>
  (await listKeys(db)).map((row) => ({
    keyId: row.id,
    pem: row.public_key,
    since: row.created_at.toISOString(),
    until: row.retired_at?.toISOString() ?? null,
  }))
