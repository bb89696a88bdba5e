import { api } from '#contract/api.ts'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { CallOf, Endpoint, OutputOf } from '#contract/platform/endpoint.ts'
import type { NewsroomPost, NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { aPost, aSignedInMember, type TestMember } from './builders.ts'
import type { Answered, TestApi } from './setup/start-api.ts'

type Given = Omit<
  CallOf<typeof api.createAnnouncement>['body'],
  'title' | 'category' | 'content' | 'language'
> &
  Parameters<typeof aPost>[0]

export type Newsroom = {
  editor: TestMember
  call<E extends Endpoint>(endpoint: E, input: CallOf<E>): Promise<Answered<OutputOf<E>>>
  create(fields?: Given): Promise<Announcement>
  /** Returns the post as the newsroom currently shows it. */
  read(id: string): Promise<NewsroomPostWhole>
  list(query?: CallOf<typeof api.listNewsroomPosts>['query']): Promise<NewsroomPost[]>
  remove(id: string): Promise<void>
}

/** Performs the actions of an editor through the API. */
export async function aNewsroom(started: TestApi): Promise<Newsroom> {
  const editor = await aSignedInMember(started, { manage_news: 2, display_name: 'Sample Editor' })
  const call: Newsroom['call'] = (endpoint, input) => started.call(endpoint, input, { token: editor.token })
  const done = <T>({ status, body, problem }: Answered<T>): T => {
    if (status >= 300) throw new Error(`answered ${status} ${problem.code} ${JSON.stringify(problem.errors)}`)
    return body
  }
  return {
    editor,
    call,
    create: async (fields = {}) =>
      done(await call(api.createAnnouncement, { body: { ...aPost(), ...fields } })),
    read: async (id) => done(await call(api.getNewsroomPost, { params: { id } })),
    list: async (query = {}) => done(await call(api.listNewsroomPosts, { query })),
    remove: async (id) => void done(await call(api.deleteAnnouncement, { params: { id }, body: {} })),
  }
}

/** The time this many milliseconds from now, selected in the time zone of Shanghai. */
export const inTime = (ahead: number) => ({
  publishAt: new Date(Date.now() + ahead).toISOString(),
  zone: 'Asia/Shanghai',
})

/** Returns whether readers find the post in each place that lists posts. */
export async function whereReadersFind({ call }: TestApi, { _id, slug, language, title }: Announcement) {
  const params = { lang: language }
  const isIt = (posts: readonly Announcement[]) => posts.some((post) => post._id === _id)
  const browse = async (query: { q?: string }) =>
    isIt((await call(api.browseAnnouncements, { params, query })).body.posts)
  const at = await call(api.getPost, { params: { lang: language, slug } })
  const addresses = (await call(api.listPostAddresses, {})).body
  return {
    list: isIt((await call(api.listAnnouncements, { params, query: { limit: 100 } })).body),
    page: await browse({}),
    search: await browse({ q: title }),
    address: at.status === 200 && at.body.post._id === _id,
    siteMap: addresses.some((each) => each.slug === slug && each.language === language),
  }
}
export const everywhere = { list: true, page: true, search: true, address: true, siteMap: true }
export const nowhere = { list: false, page: false, search: false, address: false, siteMap: false }
