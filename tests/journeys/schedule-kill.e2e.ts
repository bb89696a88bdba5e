import { defaultAppId } from '#contract/people/apps.ts'
import type { NewsroomPost } from '#contract/publishing/newsroom.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeAdministrator } from '#tests/setup/a-publisher.ts'
import { freePort, startProduct, stop, type Product } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const email = 'editor@example.org'
const password = 'a password for staff'
const rounds = 3
const postsInRound = 12
/** Long enough for a slow machine to accept them all. */
const aheadOfAll = 6000

async function signIn(product: Product): Promise<string> {
  const answer = await product.post('members/login', { email, password })
  return ((await answer.json()) as { token: string }).token
}

const get = async <T>(product: Product, path: string, token = ''): Promise<T> => {
  const headers = { 'x-app-id': defaultAppId, 'x-access-token': token }
  return (await fetch(product.url + path, { headers })).json() as Promise<T>
}

test(
  'posts that fall due while the program is killed are published at the next start, each once',
  { timeout: 1_800_000 },
  async () => {
    const dataDir = await makeTemporary('schedule')
    onTestFinished(() => removeTemporary(dataDir))
    const settings = {
      ADMIN_EMAILS: email,
      STAFF_SECOND_FACTOR: 'optional',
      LOG_LEVEL: 'silent',
      DEMO: 'off',
      PORT: String(await freePort()),
    }
    let product = await startProduct({ dataDir, settings })
    onTestFinished(async () => void (await product.stop()))
    await makeAdministrator(product, email, password)

    const titles: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const token = await signIn(product)
      const due = Date.now() + aheadOfAll
      const schedule = { status: 'scheduled', publishAt: new Date(due).toISOString(), zone: 'UTC' }
      const create = async (title: string) => {
        const post = { title, category: 'News', language: 'en', content: `<p>${title}</p>` }
        const headers = { 'x-access-token': token }
        const answer = await product.post('announcements/create', { ...post, ...schedule }, headers)
        expect(answer.status).toBe(201)
        titles.push(title)
      }
      await Promise.all(Array.from({ length: postsInRound }, (_, n) => create(`Round ${round}, post ${n}`)))
      // Killed before the first post is due, and between two of them.
      await new Promise((resolve) => setTimeout(resolve, due - Date.now() + round * 12 - 5))
      await stop(product.process, 'SIGKILL')
      product = await startProduct({ dataDir, settings })
    }

    const token = await signIn(product)
    const posts = () => get<NewsroomPost[]>(product, '/v2/admin/news/posts?limit=100', token)
    await expect.poll(async () => (await posts()).filter(({ state }) => state !== 'published')).toEqual([])
    const shown = await posts()
    expect(shown.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
    expect(new Set(shown.map(({ version }) => version))).toEqual(new Set([1]))
    const feed = await get<{ title: string }[]>(product, '/v2/announcements/en?limit=100')
    expect(feed.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  },
)
