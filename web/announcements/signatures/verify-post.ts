import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import {
  signedDocument,
  type listSigningKeys,
  type PublishedVersion,
  type SignedDocument,
} from '#contract/publishing/signatures.ts'

export type Key = OutputOf<typeof listSigningKeys>[number]

/**
 * The possible problems of a version: its key, its signature, the signed document, or its link to the previous version.
 */
type VersionProblem = 'key' | 'retired' | 'signature' | 'document' | 'chain'
/** Fields that the page shows differently from what was signed. */
type DisplayProblem = 'content' | 'title' | 'address' | 'category'

/** With the SHA-256 of its public key, which readers can pin. */
export type CheckedVersion = PublishedVersion & {
  site: string
  fingerprint: string
  problems: VersionProblem[]
}
export type Verification = {
  /** `older`: the displayed version was signed, but a newer one has been published since. */
  verdict: 'right' | 'older' | 'wrong'
  /** The displayed version, or the newest one if none of them is displayed. */
  version: CheckedVersion | undefined
  problems: DisplayProblem[]
  /** Newest first. */
  history: CheckedVersion[]
}

type DisplayedPost = Pick<Announcement, '_id' | 'slug' | 'title' | 'language' | 'category' | 'content'>

const hashOf = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))

/** Verifies a displayed post against its published versions, newest first, and the site's keys. */
export function verifyPost(
  shown: DisplayedPost,
  versions: readonly PublishedVersion[],
  keys: readonly Key[],
): Verification {
  const checked = versions.map((version, index) => {
    const document = readDocument(version, shown._id)
    const before = versions[index + 1]
    const isNext = document?.previousSha256 === (before ? hashOf(before.document) : '')
    const key = readKey(keys.find(({ keyId }) => keyId === version.keyId))
    const problems = [
      ...signatureProblems(version, key),
      ...(document ? [] : ['document' as const]),
      ...(document && !isNext ? ['chain' as const] : []),
    ]
    return {
      version: { ...version, site: document?.site ?? '', fingerprint: key?.fingerprint ?? '', problems },
      document,
    }
  })
  const history = checked.map(({ version }) => version)
  const found = checked.findIndex(
    ({ version, document }) =>
      document && version.problems.length === 0 && displayProblems(shown, document).length === 0,
  )
  const newest = checked[0]
  if (found === -1) {
    const problems = newest?.document ? displayProblems(shown, newest.document) : []
    return { verdict: 'wrong', version: newest?.version, problems, history }
  }
  return { verdict: found === 0 ? 'right' : 'older', version: history[found], problems: [], history }
}

/** The signed document, if it belongs to this version of this post. */
function readDocument(version: PublishedVersion, postId: string): SignedDocument | null {
  try {
    const document = signedDocument.parse(JSON.parse(version.document))
    const isOfVersion =
      document.post === postId &&
      document.version === version.n &&
      document.title === version.title &&
      document.publishedAt === version.publishedAt
    return isOfVersion ? document : null
  } catch {
    return null
  }
}

function displayProblems(shown: DisplayedPost, signed: SignedDocument): DisplayProblem[] {
  const isSame: Record<DisplayProblem, boolean> = {
    content: signed.contentSha256 === hashOf(shown.content),
    title: signed.title === shown.title,
    address: signed.slug === shown.slug && signed.language === shown.language,
    category: signed.category === shown.category,
  }
  return (Object.keys(isSame) as DisplayProblem[]).filter((part) => !isSame[part])
}

function signatureProblems(version: PublishedVersion, key: ReadKey | null): VersionProblem[] {
  if (!key) return ['key']
  try {
    const signature = bytesOf(version.signature)
    // Strict verification according to RFC 8032, without the looser rules of ZIP 215.
    if (!ed25519.verify(signature, utf8ToBytes(version.document), key.bytes, { zip215: false }))
      return ['signature']
  } catch {
    return ['signature']
  }
  return key.until !== null && version.publishedAt > key.until ? ['retired'] : []
}

/** An Ed25519 SubjectPublicKeyInfo (RFC 8410) is this prefix followed by 32 bytes. */
const spkiStart = '302a300506032b6570032100'

type ReadKey = { bytes: Uint8Array; fingerprint: string; until: string | null }

/** The key, if it is an Ed25519 key that matches its ID. */
function readKey(key: Key | undefined): ReadKey | null {
  if (!key) return null
  try {
    const der = bytesOf(key.pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''))
    const fingerprint = bytesToHex(sha256(der))
    const isRight =
      der.length === 44 &&
      bytesToHex(der.subarray(0, 12)) === spkiStart &&
      fingerprint.slice(0, 16) === key.keyId
    return isRight ? { bytes: der.subarray(12), fingerprint, until: key.until } : null
  } catch {
    return null
  }
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!)
