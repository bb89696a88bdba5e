import { randomUUID } from 'node:crypto'
import type { Api, EndpointName } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/fields.ts'
import {
  insertAnnouncement,
  trashAnnouncement,
  updatePresentation,
} from '#api/publishing/announcements/announcement.queries.ts'
import { markPublished } from '#api/publishing/announcements/mark-published.ts'
import { setPreview } from '#api/publishing/announcements/newsroom/preview.queries.ts'
import { presentAnnouncement } from '#api/publishing/announcements/present-announcement.ts'
import { getAnnouncement } from '#api/publishing/announcements/reading.queries.ts'
import { upsertAutosave } from '#api/publishing/announcements/autosaves/autosave.queries.ts'
import { hashSecret } from '#api/platform/keys.ts'
import { aPicture, aPost, aSignedInMember } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const aDraft = ({ started, owner }: Scene, language: Language = 'en', slug?: string) =>
  insertAnnouncement(
    started.services.db,
    { ...aPost({ language }), contentSummary: '' },
    owner.id,
    slug === undefined ? {} : { slug },
  )

async function aStoredPost(scene: Scene): Promise<string> {
  const id = await aDraft(scene)
  await markPublished(scene.started.services.db, scene.started.services, id)
  return id
}

const ahead = () => ({ publishAt: new Date(Date.now() + HOUR).toISOString(), zone: 'Asia/Shanghai' })

const anAutosave = (fields: Partial<{ id: string; content: string }> = {}) => ({
  id: randomUUID(),
  postId: null,
  translationOf: null,
  title: '',
  category: '' as const,
  language: 'en' as const,
  content: '<p>Half a sen',
  basedOn: null,
  ...fields,
})

async function aStoredAutosave({ started, actor }: Scene): Promise<string> {
  const autosave = anAutosave()
  await upsertAutosave(started.services.db, { ...autosave, memberId: actor.id })
  return autosave.id
}

/** The input of an action on several posts, for one. */
const onePost = (id: string) => ({ body: { isPreview: false, rows: [{ id }] } })

/** Endpoints about posts: public ones and the newsroom's. */
export const newsRequests = {
  listCategories: async () => ({}),
  listAnnouncements: async () => ({ params: { lang: 'en' } }),
  searchSite: async () => ({ query: { language: 'en', q: 'release' } }),
  browseAnnouncements: async () => ({ params: { lang: 'en' }, query: { q: 'release' } }),
  getPost: async (scene) => {
    const { slug } = await getAnnouncement(scene.started.services.db, await aStoredPost(scene))
    return { params: { lang: 'en', slug } }
  },
  listPostAddresses: async () => ({}),
  listPostAuthors: async () => ({}),
  browsePostsByAuthor: async (scene) => {
    const { db } = scene.started.services
    const id = await aStoredPost(scene)
    const author = await aSignedInMember(scene.started, { manage_news: 1, display_name: 'Sample Author' })
    await updatePresentation(db, id, { byline: author.id })
    const { byline } = presentAnnouncement(await getAnnouncement(db, id))
    return { params: { lang: 'en', slug: byline!.slug } }
  },
  createAnnouncement: async () => ({ body: aPost() }),
  updateAnnouncement: async (scene) => ({ body: { _id: await aStoredPost(scene), ...aPost() } }),
  uploadPicture: async () => ({ body: { picture: await aPicture() } }),
  deleteAnnouncement: async (scene) => ({ params: { id: await aStoredPost(scene) }, body: {} }),

  readReads: async () => ({ query: { from: '2026-11-01', to: '2026-11-30' } }),
  listNewsroomPosts: async () => ({ query: { state: 'draft' as const, missing: 'cn' as const, q: 'new' } }),
  exportNewsroomPosts: async () => ({ query: { state: 'draft' as const } }),
  getNewsroomPost: async (scene) => ({ params: { id: await aDraft(scene) } }),
  publishPost: async (scene) => ({ params: { id: await aDraft(scene) }, body: { lastEdited: null } }),
  schedulePost: async (scene) => ({ params: { id: await aDraft(scene) }, body: ahead() }),
  unpublishPost: async (scene) => ({ params: { id: await aStoredPost(scene) }, body: {} }),
  unpublishPosts: async (scene) => onePost(await aStoredPost(scene)),
  deletePosts: async (scene) => onePost(await aStoredPost(scene)),
  changePostCategories: async (scene) => {
    const { body } = onePost(await aStoredPost(scene))
    return { body: { ...body, category: 'Events' } }
  },
  restorePost: async (scene) => {
    const id = await aStoredPost(scene)
    await trashAnnouncement(scene.started.services.db, id, scene.owner.id)
    return { params: { id }, body: {} }
  },
  linkTranslations: async (scene) => ({
    params: { id: await aDraft(scene, 'cn') },
    body: { translationOf: await aStoredPost(scene) },
  }),
  unlinkTranslation: async (scene) => {
    const { slug } = await getAnnouncement(scene.started.services.db, await aStoredPost(scene))
    return { params: { id: await aDraft(scene, 'cn', slug) }, body: {} }
  },
  listPostVersions: async (scene) => ({ params: { id: await aStoredPost(scene) } }),
  getPostVersion: async (scene) => ({ params: { id: await aStoredPost(scene), n: 1 } }),
  restorePostVersion: async (scene) => ({ params: { id: await aStoredPost(scene), n: 1 }, body: {} }),
  createPreview: async (scene) => ({ params: { id: await aDraft(scene) }, body: {} }),
  endPreview: async (scene) => ({ params: { id: await aDraft(scene) } }),
  listPublishedVersions: async (scene) => {
    const { slug } = await getAnnouncement(scene.started.services.db, await aStoredPost(scene))
    return { params: { lang: 'en', slug } }
  },
  listSigningKeys: async () => ({}),
  readPreview: async (scene) => {
    const token = randomUUID()
    await setPreview(scene.started.services.db, await aDraft(scene), hashSecret(token))
    return { params: { token } }
  },
  listAutosaves: async () => ({}),
  saveAutosave: async () => ({ body: anAutosave() }),
  getAutosave: async (scene) => ({ params: { id: await aStoredAutosave(scene) } }),
  discardAutosave: async (scene) => ({ params: { id: await aStoredAutosave(scene) } }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }

const choice = { language: 'en', categories: ['News'], rhythm: 'each' } as const
let count = 0
const anAddress = () => `reader${++count}@example.org`

async function aSubscriber({ started: { services } }: Scene, state: 'pending' | 'active' = 'active') {
  const code = `access code ${++count}`
  const row = await services.db
    .insertInto('subscriber')
    .values({
      ...choice,
      categories: [...choice.categories],
      email: anAddress(),
      link_secret: 'secret',
      state,
      code_hash: hashSecret(code),
      code_until: new Date(Date.now() + 60_000),
      ...(state === 'active' && { consented_at: new Date() }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, code, token: `${row.id}.secret` }
}

async function aPostId({ started: { services } }: Scene): Promise<string> {
  const { category, content, language } = aPost()
  const { id } = await services.db
    .insertInto('announcement')
    .values({
      title: 'A post',
      slug: `mailed-${++count}`,
      category,
      language,
      content,
      content_summary: content,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The newsletter. */
export const newsletterRequests = {
  subscribeToNews: async () => ({ body: { email: anAddress(), ...choice, categories: ['News'] } }),
  confirmSubscription: async (scene: Scene) => ({
    body: { code: (await aSubscriber(scene, 'pending')).code },
  }),
  openSubscription: async (scene: Scene) => ({ body: { token: (await aSubscriber(scene)).token } }),
  changeSubscription: async (scene: Scene) => ({
    body: { token: (await aSubscriber(scene)).token, ...choice, categories: ['News'] },
  }),
  unsubscribeFromNews: async (scene: Scene) => ({ body: { token: (await aSubscriber(scene)).token } }),
  readDigestTime: async () => ({}),
  readOwnSubscription: async () => ({}),
  saveOwnSubscription: async () => ({ body: { ...choice, categories: ['News'] } }),
  endOwnSubscription: async () => ({ body: null }),
  readPostMail: async (scene: Scene) => ({ params: { id: await aPostId(scene) } }),
  testPostMail: async (scene: Scene) => ({ params: { id: await aPostId(scene) }, body: null }),
  listSubscribers: async () => ({}),
  exportSubscribers: async () => ({}),
  removeSubscribers: async (scene: Scene) => ({
    body: {
      isPreview: false,
      rows: [{ id: (await aSubscriber(scene)).id }],
      reason: 'A sample reason',
    },
  }),
  removeSubscriber: async (scene: Scene) => ({
    body: { id: (await aSubscriber(scene)).id, reason: 'A sample reason' },
  }),
}
