import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOUR, SECOND } from '#contract/durations.ts'

export type StoredFile = {
  etag: string
  type: string
  bytes: number | undefined
  open(): Promise<Readable | undefined>
}
/** Files that editors uploaded, by the last part of their addresses; null for one of the files that they took back. */
export type FindContentFile = (folder: 'pdfs' | 'people', file: string) => StoredFile | null | undefined

/** An edition keeps its address: whoever has one asks whether it is still the one. A picture's name is that of its bytes. */
const ages = { pdfs: 'no-cache', people: `public, max-age=${HOUR / SECOND}` } as const

/** PDFs and pictures of people: those of the files, and over them what editors published. */
export async function serveContentFiles(
  site: FastifyInstance,
  media: string,
  find: FindContentFile,
): Promise<void> {
  await site.register(fastifyStatic, { root: media, serve: false, index: false, cacheControl: false })
  for (const folder of ['pdfs', 'people'] as const)
    site.route({
      method: ['GET', 'HEAD'],
      url: `/assets/${folder}/:file`,
      handler: async (request, reply) => {
        const { file } = request.params as { file: string }
        void reply.header('cache-control', ages[folder])
        const isOfFiles = /^[\w-][\w.-]*$/.test(file) && existsSync(join(media, folder, file))
        const stored = folder === 'people' && isOfFiles ? undefined : find(folder, file)
        if (stored) return sendStored(request, reply, stored)
        return isOfFiles && stored === undefined ? reply.sendFile(`${folder}/${file}`) : reply.callNotFound()
      },
    })
}

/** In pieces, so that no edition is in memory as a whole, however many read it. */
async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, bytes, open }: StoredFile,
): Promise<FastifyReply> {
  void reply.header('etag', etag).type(type)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const stream = await open()
  if (!stream) return reply.removeHeader('etag').callNotFound() as unknown as FastifyReply
  if (bytes !== undefined) void reply.header('content-length', bytes)
  return reply.send(stream)
}
