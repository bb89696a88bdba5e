import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import brand from '#content/brand.json' with { type: 'json' }
import colours from '#content/colours.json' with { type: 'json' }
import { workHeader } from '#contract/platform/proof-of-work.ts'
import type { Config } from '../config/config.ts'
import { openApiDocument, type Operation, type OpenApi } from './openapi.ts'
import { escapeHtml } from '../text/escape-html.ts'

/**
 * Serves the OpenAPI document and a page to read it, both built from the contract. The page needs no script.
 */
export function mountDocs(app: FastifyInstance, base: string, config: Config): void {
  const make = () => {
    const document = openApiDocument(`${brand.name} API`, new URL(base, config.publicUrl).href)
    return {
      json: keep('application/json; charset=utf-8', JSON.stringify(document)),
      page: keep('text/html; charset=utf-8', pageOf(document, base)),
    }
  }
  // Built on the first request, because it takes a third of the time of mounting the API.
  let made: ReturnType<typeof make> | undefined
  const docs = () => (made ??= make())
  const options = { exposeHeadRoute: false }
  app.get(`${base}openapi.json`, options, (request, reply) => send(request, reply, docs().json))
  app.get(`${base}docs`, options, (request, reply) => send(request, reply, docs().page))
  const css = keep('text/css; charset=utf-8', style)
  app.get(`${base}docs.css`, options, (request, reply) => send(request, reply, css))
}

type Kept = { type: string; bytes: Buffer; etag: string }

function keep(type: string, text: string): Kept {
  const bytes = Buffer.from(text)
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

function send(request: FastifyRequest, reply: FastifyReply, { type, bytes, etag }: Kept): FastifyReply {
  void reply.headers({ etag, 'cache-control': 'no-cache' })
  // A proxy that compresses marks the tag as weak.
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(bytes)
}

type Listed = { method: string; path: string; operation: Operation }

function pageOf(document: OpenApi, base: string): string {
  const all: Listed[] = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const tags = [...new Set(all.map(({ operation }) => operation.tags[0]))]
  const sections = tags.map((tag) => {
    const calls = all.filter(({ operation }) => operation.tags[0] === tag)
    return `<section id="${tag}"><h2>${tag}</h2>${calls.map(callOf).join('')}</section>`
  })
  const title = escapeHtml(document.info.title)
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="${base}docs.css"></head>` +
    `<body><header><h1>${title}</h1><p>Base <code>${escapeHtml(document.servers[0].url)}</code>. Also available as <a href="${base}openapi.json">OpenAPI 3.1</a>. ` +
    `Every request needs <code>x-app-id</code>. Private requests also need a session’s <code>x-access-token</code> or, where an endpoint accepts API tokens, <code>Authorization: Bearer coinsite_…</code>. Errors are problem details (RFC 9457) with a stable <code>code</code>.</p>` +
    `<p>After many requests from one client, an endpoint that accepts <code>${workHeader}</code> responds with <code>work_required</code> (429) and <code>work</code>: <code>{ challenge, parts, below }</code>. For each part from 0 to <code>parts</code> − 1, find a whole number for which the first four bytes of the SHA-256 hash of <code>challenge:part:number</code> (big-endian) are less than <code>below</code>. Within ten minutes, repeat the request once with the header value <code>challenge:number,number,…</code>, or wait as long as <code>Retry-After</code> says.</p>` +
    block('Solving it in Node.js', solving) +
    `<nav aria-label="Endpoint groups">${[...tags, 'webhooks'].map((tag) => `<a href="#${tag}">${tag}</a>`).join(' ')}</nav></header><main>${sections.join('')}${webhooksIn(document)}</main></body></html>`
  )
}

/** Requests that the program sends, after those it receives. */
function webhooksIn({ webhooks }: OpenApi): string {
  const all = Object.entries(webhooks).map(
    ([type, { post }]) =>
      `<article id="webhook-${type}"><h3><span class="method">POST</span> <code>${type}</code></h3><p>${proseOf(post.summary)}</p>` +
      `${block('Body', post.requestBody.content['application/json'].schema)}</article>`,
  )
  const [first] = Object.values(webhooks)
  return (
    `<section id="webhooks"><h2>webhooks</h2><p>${proseOf(first!.post.description)}</p>` +
    `${block('Headers', first!.post.parameters)}${block('Responses', first!.post.responses)}${all.join('')}</section>`
  )
}

function callOf({ method, path, operation }: Listed): string {
  const body = operation.requestBody?.content['application/json'].schema
  const [status, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!
  const errors = Object.entries(operation.responses).filter(([status]) => !status.startsWith('2'))
  const parameters = operation.parameters.filter(({ name }) => name !== 'x-app-id')
  return (
    `<article id="${operation.operationId}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>` +
    `<p>${proseOf(operation.summary)} <em>${proseOf(operation.description)}</em></p>` +
    (parameters.length > 0 ? block('Parameters', parameters) : '') +
    (body ? block('Body', body) : '') +
    (success.content['application/json']
      ? block(`Response ${status}`, success.content['application/json'].schema)
      : `<p>Response ${status}: a picture</p>`) +
    `<p class="errors">Errors: ${errors.map(([status, { description }]) => `<span><b>${status}</b> ${proseOf(description)}</span>`).join(' · ')}</p></article>`
  )
}

/** Descriptions mark names with backticks, as in Markdown. */
const proseOf = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const block = (title: string, value: unknown) =>
  `<details><summary>${title}</summary><pre tabindex="0">${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></details>`

const solving = `import { createHash } from 'node:crypto'

export function solve({ challenge, parts, below }) {
  const numbers = Array.from({ length: parts }, (_, part) => {
    for (let number = 0; ; number += 1) {
      const hash = createHash('sha256').update(\`\${challenge}:\${part}:\${number}\`).digest()
      if (hash.readUInt32BE(0) < below) return number
    }
  })
  return \`\${challenge}:\${numbers.join(',')}\`
}`

const pair = ({ light, dark }: { light: string; dark: string }) => `light-dark(${light}, ${dark})`

const style = `
:root { color-scheme: light dark; --line: ${pair(colours.line)}; --accent: ${pair(colours.copper)} }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.5rem 6rem; font: 1rem/1.6 system-ui, 'PingFang SC', 'Microsoft YaHei', sans-serif; background: ${pair(colours.ground)}; color: ${pair(colours.text)} }
h1, h2 { font-family: Georgia, serif; font-weight: 500; line-height: 1.2 }
h2 { border-top: 1px solid var(--line); margin-top: 4rem; padding-top: 1rem }
h3 { margin: 2.5rem 0 0; font-size: 1rem; overflow-wrap: anywhere }
a, .method { color: var(--accent) } .method { font-variant-numeric: tabular-nums }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem } p { max-width: 44rem; margin: .5rem 0 }
pre { overflow: auto; max-height: 30rem; border-left: 2px solid var(--line); margin: .5rem 0; padding: .5rem 1rem; font-size: .8125rem }
summary { cursor: pointer; padding: .25rem 0 } .errors { font-size: .8125rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
