import { hashSecret } from '#api/keys.ts'
import { aPost } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

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
  removeSubscriber: async (scene: Scene) => ({
    body: { id: (await aSubscriber(scene)).id, reason: 'A sample reason' },
  }),
}
