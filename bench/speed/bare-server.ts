import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The minimum that sends the same responses: a Fastify without hooks, and one prepared statement with the product's
 * database driver. It is a separate process, so that its processor time is known, and sends its port to its parent.
 */
export type Ready = { name: string; type: string; encoding: string | undefined; body: string }

const { DATABASE_URL, PASSWORD_HASH = '' } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
const app = Fastify({ logger: false })
const ready = new Map<string, { headers: Record<string, string>; bytes: Buffer }>()

const post = `a.id as "_id", a.slug, a.title, a.category, a.language, a.content, a.content_summary as "contentSummary",
  a.posted_at as "postedDate", a.edited_at as "lastEdited", a.created_by as "createdBy", m.display_name as "displayName"
  from announcement a left join member m on m.id = a.created_by`

const statements = {
  list: `select ${post} where a.language = $1 and a.state = 'published' and (a.posted_at, a.id) < ($2::timestamptz, $3)
    order by a.posted_at desc, a.id desc limit 20`,
  post: `select ${post} where a.slug = $1 and a.state = 'published' order by a.language`,
  member: `select * from member where id = $1`,
  update: `update member set display_name = $2, updated_at = now() where id = $1 returning *`,
  insert: `insert into bench.post (slug, title, category, language, content, created_by)
    values ($1, $2, $3, $4, $5, $6) returning *`,
}

async function ask(name: keyof typeof statements, values: unknown[]): Promise<string> {
  const { rows } = await pool.query({ name, text: statements[name], values })
  return JSON.stringify(rows)
}

const json = 'application/json; charset=utf-8'
app.get('/nothing', (_, reply) => reply.send(''))
app.get<{ Params: { name: string } }>('/ready/:name', (request, reply) => {
  const { headers, bytes } = ready.get(request.params.name)!
  return reply.headers(headers).send(bytes)
})
app.get<{ Querystring: { lang: string; at: string; id: string } }>(
  '/list',
  async ({ query: { lang, at, id } }, reply) => reply.type(json).send(await ask('list', [lang, at, id])),
)
app.get<{ Params: { slug: string } }>('/post/:slug', async ({ params }, reply) =>
  reply.type(json).send(await ask('post', [params.slug])),
)
app.get<{ Params: { id: string } }>('/member/:id', async ({ params }, reply) =>
  reply.type(json).send(await ask('member', [params.id])),
)
app.post<{ Body: { _id: string; displayName: string } }>('/update', async ({ body }, reply) =>
  reply.type(json).send(await ask('update', [body._id, body.displayName])),
)
let inserted = 0
app.post<{ Body: { title: string; category: string; language: string; content: string } }>(
  '/insert',
  async ({ body }, reply) => {
    const slug = `${body.title.toLowerCase().replaceAll(/\W+/g, '-')}-${(inserted += 1)}`
    const values = [slug, body.title, body.category, body.language, body.content, 'member-1']
    return reply
      .code(201)
      .type(json)
      .send(await ask('insert', values))
  },
)
app.post<{ Body: { password: string } }>('/hash', async ({ body }, reply) =>
  reply.type(json).send(JSON.stringify({ isRight: await verify(PASSWORD_HASH, body.password) })),
)

process.on('message', ({ name, type, encoding, body }: Ready) => {
  const headers = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) }
  ready.set(name, { headers, bytes: Buffer.from(body, 'base64') })
  process.send!({ hasReady: name })
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send!({ port: (app.server.address() as { port: number }).port })
