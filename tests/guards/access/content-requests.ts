import { createHash, randomUUID } from 'node:crypto'
import type { Api, EndpointName } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import {
  announceFile,
  documentName,
  storeKeyOf,
} from '#api/publishing/content/editing/content-file.queries.ts'
import {
  insertContentVersion,
  listContentVersions,
} from '#api/publishing/content/editing/content-version.queries.ts'
import { deleteDraft, upsertDraft } from '#api/publishing/content/editing/draft.queries.ts'
import {
  findItem,
  lockItem,
  setItemNumber,
  setItemsRelease,
} from '#api/publishing/content/editing/content-item.queries.ts'
import { readyToPublish } from '#api/publishing/content/editing/publish-items.ts'
import { endRelease, insertRelease } from '#api/publishing/content/editing/release.queries.ts'
import { freeItems } from '#api/publishing/content/editing/content-item.queries.ts'
import { transaction } from '#api/platform/db/database.ts'
import { asPdfUrl, aPdf } from '#tests/a-pdf.ts'
import { aPicture, aSignedInMember } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const piece = 'messages/placeholder'
const place = 'en.placeholder.home'
const newWords = () => `Home ${randomUUID().slice(0, 8)}`

/** A content item with a draft and without a pending release. */
async function aDraft({ started, owner }: Scene): Promise<{ piece: string; version: number }> {
  const { db } = started.services
  const { n, release_id } = await lockItem(db, piece)
  if (release_id !== null) {
    await endRelease(db, release_id, { state: 'cancelled', by: null })
    await freeItems(db, release_id)
  }
  await deleteDraft(db, piece)
  await upsertDraft(db, { piece, place, value: newWords(), n: n + 1, by: owner.id })
  await setItemNumber(db, piece, n + 1)
  return { piece, version: n + 1 }
}

async function aProposal(scene: Scene): Promise<string> {
  const { db, keys } = scene.started.services
  const draft = await aDraft(scene)
  const { changes } = await transaction(db, (db) => readyToPublish(db, keys, [draft]))
  const proposer = await aSignedInMember(scene.started, { manage_news: 2 })
  const id = await insertRelease(db, {
    state: 'proposed',
    pieces: [draft],
    changes,
    sensitive: ['links'],
    newVersions: [],
    publishAt: null,
    zone: null,
    by: proposer.id,
  })
  await setItemsRelease(db, [piece], id)
  return id
}

async function aVersion(scene: Scene): Promise<{ id: string; version: number }> {
  const { db } = scene.started.services
  const { version } = await aDraft(scene)
  const value = { en: { 'placeholder.home': newWords() }, cn: {} }
  await insertContentVersion(db, { piece, n: 0, value, changes: [], by: null, origin: 'file' })
  const { rows } = await listContentVersions(db, piece, { limit: 1 })
  return { id: rows[0]!.id, version }
}

async function aStoredDocument({ started: { services } }: Scene): Promise<string> {
  const bytes = aPdf({ mark: randomUUID() })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const name = documentName(sha256)
  await announceFile(services.db, { name, kind: 'document', bytes: bytes.length })
  await services.files.put(storeKeyOf(name), bytes)
  return sha256
}

const ahead = () => ({ publishAt: new Date(Date.now() + HOUR).toISOString(), zone: 'Asia/Shanghai' })

/** Requests of editors on the site's content. */
export const contentRequests = {
  listContentItems: async () => ({}),
  getContentItem: async () => ({ query: { piece: 'facts/roadmap.json' } }),
  saveContentDraft: async (scene) => ({
    body: { ...(await aDraft(scene)), changes: { [place]: newWords() } },
  }),
  discardContentDraft: async (scene) => ({ body: await aDraft(scene) }),
  checkContentDrafts: async () => ({ body: { pieces: [piece, 'brand.json'] } }),
  publishContent: async (scene) => ({ body: { pieces: [await aDraft(scene)] } }),
  scheduleContent: async (scene) => ({ body: { pieces: [await aDraft(scene)], ...ahead() } }),
  listContentReleases: async () => ({ query: { state: 'ended' as const } }),
  confirmContentRelease: async (scene) => ({ params: { id: await aProposal(scene) }, body: {} }),
  cancelContentRelease: async (scene) => ({
    params: { id: await aProposal(scene) },
    body: { reason: 'These words promise too much.' },
  }),
  listContentVersions: async () => ({ query: { piece } }),
  getContentVersion: async (scene) => ({ params: { id: (await aVersion(scene)).id } }),
  restoreContentVersion: async (scene) => {
    const { id, version } = await aVersion(scene)
    return { params: { id }, body: { version } }
  },
  createContentPreview: async () => ({ body: {} }),
  uploadContentDocument: async ({ started }) => ({
    body: {
      base: 'brochure',
      language: 'en' as const,
      title: 'Brochure',
      version: '2.0',
      basedOn: (await findItem(started.services.db, 'documents/brochure'))?.n ?? 0,
      pdf: asPdfUrl(aPdf()),
    },
  }),
  withdrawContentDocument: async ({ started }) => ({
    body: {
      base: 'brochure',
      language: 'en' as const,
      basedOn: (await findItem(started.services.db, 'documents/brochure'))?.n ?? 0,
    },
  }),
  uploadContentPicture: async () => ({ body: { picture: await aPicture() } }),
  openContentDocument: async (scene) => ({ params: { sha256: await aStoredDocument(scene) } }),
  getContentShape: async () => ({ query: { piece: 'facts/roadmap.json' } }),
  findContent: async () => ({ query: { q: 'wallet' } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
