import { writeCursor } from '../../api/platform/db/read-page.ts'
import { defaultAppId } from '../../contract/people/apps.ts'
import type { Asked } from '../measuring/generate-load.ts'
import type { Person, Scene } from './scene.ts'

/** The systems that a task is compared with. The goal applies to the first one. */
type CeilingName = 'buffer' | 'query' | 'update' | 'insert' | 'hash' | 'nginx'
/** Returns a number of requests to send. If they are all the same, it is only one. */
export type Source = (count: number) => readonly Asked[]
export type Ceiling = { name: CeilingName; aim?: number; source: Source }

/** A kind of request to measure: how it is sent to the product and to the comparison systems. */
export type Work = {
  key: string
  name: string
  source: Source
  ceilings: readonly Ceiling[]
  /** The request whose response the prepared buffer contains. */
  kept?: Asked
}

const common = { 'x-app-id': defaultAppId, 'accept-encoding': 'br', 'user-agent': 'bench' }
const by = ({ token, ip }: Person) => ({ ...common, 'x-access-token': token, 'x-forwarded-for': ip })

const always =
  (asked: Asked): Source =>
  () => [asked]

/** A different request every time. Numbers continue from turn to turn, so that nothing is requested twice. */
export function each(asked: (n: number) => Asked): Source {
  let n = 0
  return (count) => Array.from({ length: count }, () => asked(n++))
}

const turnAbout = <T>(list: readonly T[], n: number): T => list[n % list.length]!

const text =
  'The network upgrade is out, and every node should take it before the block of the date named below. '
const content = `<p>${text.repeat(6)}</p><h2>What changes</h2><p>${text.repeat(5)}</p><ul><li>${text}</li></ul>`
const aPost = (n: number) => ({ title: `A release ${n}`, category: 'News', language: 'en', content })

const list: Asked = { path: '/v2/announcements/en?limit=20', headers: common }
const onePost: Asked = { path: '/v2/announcements/en/posts/post-51', headers: common }
const page: Asked = { path: '/', headers: { ...common, accept: 'text/html' } }

const buffer = (key: string, aim?: number): Ceiling => ({
  name: 'buffer',
  ...(aim !== undefined && { aim }),
  source: always({ path: `/ready/${key}`, headers: common }),
})

export function worksOn({ places, members, authors, password }: Scene): readonly Work[] {
  const query = (path: (n: number) => string, aim?: number): Ceiling => ({
    name: 'query',
    ...(aim !== undefined && { aim }),
    source: each((n) => ({ path: path(n), headers: common })),
  })
  const listAt = (n: number) => {
    const { lang, at, id } = turnAbout(places, n)
    return `/list?${new URLSearchParams({ lang, at, id })}`
  }
  return [
    {
      key: 'list',
      name: 'list of 20 posts, cached',
      source: always(list),
      kept: list,
      ceilings: [buffer('list', 0.8), query(() => '/list?lang=en&at=2100-01-01&id=z')],
    },
    {
      key: 'first-list',
      name: 'list of 20 posts, not cached',
      source: each((n) => {
        const { lang, at, id } = turnAbout(places, n)
        // After each list was requested once, another URL for the same rows is used.
        const after = writeCursor(new Date(at), id + '~'.repeat(Math.floor(n / places.length)))
        return { path: `/v2/announcements/${lang}?limit=20&after=${after}`, headers: common }
      }),
      ceilings: [query(listAt, 0.6)],
    },
    {
      key: 'post',
      name: 'one post, cached',
      source: always(onePost),
      kept: onePost,
      ceilings: [buffer('post', 0.8), query(() => '/post/post-51')],
    },
    {
      key: 'profile',
      name: 'read a profile',
      source: each((n) => {
        const person = turnAbout(members, n)
        return { path: `/v2/members/${person.id}`, headers: by(person) }
      }),
      ceilings: [query((n) => `/member/${turnAbout(members, n).id}`, 0.5)],
    },
    {
      key: 'update',
      name: 'update a profile',
      source: each((n) => {
        const person = turnAbout(members, n)
        const body = JSON.stringify({ _id: person.id, displayName: `Name ${n}` })
        return { method: 'POST', path: '/v2/members/FindOneAndUpdate', headers: by(person), body }
      }),
      ceilings: [
        {
          name: 'update',
          aim: 0.4,
          source: each((n) => {
            const body = JSON.stringify({ _id: turnAbout(members, n).id, displayName: `Other ${n}` })
            return { method: 'POST', path: '/update', headers: common, body }
          }),
        },
      ],
    },
    {
      key: 'create',
      name: 'create a post',
      source: each((n) => ({
        method: 'POST',
        path: '/v2/announcements/create',
        headers: by(turnAbout(authors, n)),
        body: JSON.stringify(aPost(n)),
      })),
      ceilings: [
        {
          name: 'insert',
          aim: 0.08,
          source: each((n) => ({
            method: 'POST',
            path: '/insert',
            headers: common,
            body: JSON.stringify(aPost(n)),
          })),
        },
      ],
    },
    {
      key: 'sign-in',
      name: 'sign-in',
      source: each((n) => {
        const { email, ip } = turnAbout(members, n)
        const headers = { ...common, 'x-forwarded-for': ip }
        return {
          method: 'POST',
          path: '/v2/members/login',
          headers,
          body: JSON.stringify({ email, password }),
        }
      }),
      ceilings: [
        {
          name: 'hash',
          aim: 0.8,
          source: always({
            method: 'POST',
            path: '/hash',
            headers: common,
            body: JSON.stringify({ password }),
          }),
        },
      ],
    },
    {
      key: 'page',
      name: 'public page, cached',
      source: always(page),
      kept: page,
      ceilings: [
        { name: 'nginx', aim: 0.5, source: always({ path: '/page', headers: common }) },
        buffer('page', 0.85),
      ],
    },
  ]
}

export const ceilingNames: Record<CeilingName, string> = {
  buffer: 'Fastify, finished response',
  query: 'Fastify with 1 query',
  update: 'Fastify with 1 update',
  insert: 'Fastify with 1 insert',
  hash: 'password hash only',
  nginx: 'nginx, static file',
}
