import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOUR, SECOND } from '#contract/platform/durations.ts'

type StoredFile = {
  etag: string
  type: string
  bytes: number | undefined
  open(): Promise<Readable | undefined>
}
/**
 * Finds a file that editors uploaded by the last segment of its URL. Null for a file of the release that editors
 * withdrew.
 */
export type FindContentFile = (folder: 'pdfs' | 'people', file: string) => StoredFile | null | undefined

/** A PDF keeps its address across versions, so clients revalidate it. A picture is named after its bytes. */
const ages = { pdfs: 'no-cache', people: `public, max-age=${HOUR / SECOND}` } as const

/** Serves PDFs and pictures of people. Uploads by editors take precedence over the files of the release. */
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
        const isFound = stored || (isOfFiles && stored === undefined)
        if (isFound && folder === 'pdfs')
          request.server.countRead?.(request.raw, { kind: 'document', item: file })
        if (stored) return sendStored(request, reply, stored)
        return isFound ? reply.sendFile(`${folder}/${file}`) : reply.callNotFound()
      },
    })
}

/** Sent in chunks, so that memory use does not grow with the size of the PDF or the number of readers. */
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
