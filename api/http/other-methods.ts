import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Methods that some address knows, or that people know of; every other is not implemented (RFC 9110, 15.6.2). */
const known = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE']

type AnswerMethod = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Answers methods that no address takes, before anything of the request is read. */
export function refuseUnknownMethods(app: FastifyInstance, answer: AnswerMethod): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (known.includes(request.method)) done()
    else answer(request, reply.header('allow', 'GET, HEAD, POST, DELETE'))
  })
}

/**
 * Notes the routes of the instance that are added from now on. The function that it returns adds, for each of their
 * addresses, the methods that it does not take: they are answered with what it takes (RFC 9110, 15.5.6).
 */
export function collectMethods(app: FastifyInstance): (answer: AnswerMethod) => void {
  const taken = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = taken.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    taken.set(url, methods)
  })
  return (answer) => {
    for (const [url, methods] of taken) {
      const allow = [...methods].join(', ')
      const rest = known.filter((method) => !methods.has(method))
      if (rest.length === 0) continue
      app.route({
        method: rest,
        url,
        exposeHeadRoute: false,
        onRequest: async (request, reply) => answer(request, reply.header('allow', allow)),
        handler: (_request, reply) => reply,
      })
    }
  }
}
