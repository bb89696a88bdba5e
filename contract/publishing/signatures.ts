import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { id, language, requiredLine, time } from '../platform/fields.ts'

/**
 * The signed data: the UTF-8 bytes of `document`, a JSON text with exactly these members, in this order, without
 * spaces. The content and the previous document are included as SHA-256 hashes in hex.
 */
export const signedDocument = z.strictObject({
  site: z.string(),
  post: id,
  version: z.number(),
  slug: z.string(),
  language,
  title: z.string(),
  category: z.string(),
  publishedAt: time,
  contentSha256: z.string(),
  /** SHA-256 of the previously published version; empty for the first. */
  previousSha256: z.string(),
})
export type SignedDocument = z.infer<typeof signedDocument>

const publishedVersion = z.object({
  n: z.number(),
  publishedAt: time,
  title: z.string(),
  /** The signed text. */
  document: z.string(),
  /** Ed25519 (RFC 8032), base64. */
  signature: z.string(),
  keyId: z.string(),
})
export type PublishedVersion = z.infer<typeof publishedVersion>

export const listPublishedVersions = endpoint('GET', 'announcements/:lang/posts/:slug/versions', {
  about: 'List the published versions of a post with their signatures, newest first.',
  access: anyone,
  params: z.strictObject({ lang: z.string(), slug: requiredLine(100) }),
  output: z.array(publishedVersion),
  errors: ['not_found'],
})

export const listSigningKeys = endpoint('GET', 'announcements/signing-keys', {
  about: 'List the public keys that this installation uses to sign posts, the current one first.',
  access: anyone,
  changesWith: ['announcements'],
  output: z.array(
    z.object({
      keyId: z.string(),
      /** SubjectPublicKeyInfo (RFC 8410) as PEM. */
      pem: z.string(),
      since: time,
      until: z.nullable(time),
    }),
  ),
})
