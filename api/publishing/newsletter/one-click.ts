import type { FastifyInstance, FastifyRequest } from 'fastify'
import { transaction } from '../../platform/db/database.ts'
import { requireNoMaintenance } from '../../platform/maintenance/known-maintenance.ts'
import type { Services } from '../../platform/services.ts'
import { manageNewsLink } from '../../platform/site-links.ts'
import { endSubscription } from './unsubscribe.ts'
import { findByToken } from './news-token.ts'

const path = '/newsletter/one-click/:token'
const bodyBytesMax = 4096

/**
 * One-click unsubscription (RFC 8058): email clients post a form without cookies, application ID, or origin, so
 * it is not a call of the contract. The address contains everything needed, and the answer is the same for an
 * invalid one. Opening the link, as mail scanners do, shows a page with a button and ends nothing.
 */
export async function mountOneClick(
  app: FastifyInstance,
  { db, config, maintenance }: Pick<Services, 'db' | 'config' | 'maintenance'>,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (_request, reply) => {
      void reply.headers({ ...headers, 'cache-control': 'no-store' })
    })
    scope.get(path, { exposeHeadRoute: false }, (request, reply) =>
      reply.redirect(manageNewsLink(config, tokenIn(request)), 303),
    )
    scope.post(path, { bodyLimit: bodyBytesMax }, async (request, reply) => {
      await requireNoMaintenance(maintenance)
      if (!isOneClick(request.body)) return reply.code(400).type('text/plain').send('')
      const row = await findByToken(db, tokenIn(request))
      if (row) await transaction(db, (db) => endSubscription(db, row.id, 'left'))
      return reply.code(200).type('text/plain; charset=utf-8').send('')
    })
  })
}

const tokenIn = ({ params }: FastifyRequest) => (params as { token: string }).token.slice(0, 120)

/** Accepts both form encodings, as the RFC requires. */
const isOneClick = (body: unknown): boolean =>
  typeof body === 'string' &&
  (/(?:^|&)List-Unsubscribe=One-Click(?:&|\s*$)/.test(body) ||
    /name="?List-Unsubscribe"?[^]*?\r?\n\r?\nOne-Click\r?\n/.test(body))
