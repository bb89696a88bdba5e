import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Methods that some address accepts or that are widely known; all others are not implemented (RFC 9110,
 * 15.6.2).
 */
const known = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE']

type AnswerMethod = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Refuses methods that no address accepts, before the request is read. */
export function refuseUnknownMethods(app: FastifyInstance, answer: AnswerMethod): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (known.includes(request.method)) done()
    else answer(request, reply.header('allow', 'GET, HEAD, POST, DELETE'))
  })
}

/**
 * Collects the routes added to the instance from now on. The returned function answers requests that match none
 * of them: at one of their addresses with its methods (RFC 9110, 15.5.6), elsewhere with the fallback.
 */
export function collectMethods(
  app: FastifyInstance,
): (base: string, refuse: AnswerMethod, respondNotFound: AnswerMethod) => void {
  const taken = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = taken.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    taken.set(url, methods)
  })
  return (base, refuse, respondNotFound) => {
    const addresses = [...taken].map(([url, methods]) => ({
      url,
      // Excludes routes added below.
      methods: new Set(methods),
      parts: partsOf(url),
    }))
    const refuseAt = (
      method: string[],
      url: string,
      find: (request: FastifyRequest) => Address | undefined,
    ) =>
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        onRequest: async (request, reply) => {
          const address = find(request)
          // If the address accepts the method but was not reached, it is not the address, for example if a
          // parameter is too long.
          return address && !address.methods.has(request.method)
            ? refuse(request, reply.header('allow', [...address.methods].join(', ')))
            : undefined
        },
        handler: respondNotFound,
      })
    // A route for each method of each address would take most of the time of mounting the API. It is only
    // needed if an address with a parameter would otherwise match the method.
    for (const address of addresses) {
      const covering = addresses.filter((other) => other !== address && covers(other.parts, address.parts))
      const mistaken = known.filter(
        (method) => !address.methods.has(method) && covering.some(({ methods }) => methods.has(method)),
      )
      if (mistaken.length > 0) refuseAt(mistaken, address.url, () => address)
    }
    const find = ({ url }: FastifyRequest) => {
      const parts = partsOf(url.split('?')[0]!).map(decoded)
      const found = addresses.filter((each) => covers(each.parts, parts))
      return found.reduce<Address | undefined>(
        (best, each) => (best && covers(each.parts, best.parts) ? best : each),
        undefined,
      )
    }
    for (const url of [base, `${base}*`]) refuseAt([...app.supportedMethods], url, find)
  }
}

type Address = { url: string; methods: ReadonlySet<string>; parts: readonly string[] }

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/')

/** Decodes a path segment like the router. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether the first pattern matches every path of the second. */
const covers = (wide: readonly string[], narrow: readonly string[]): boolean =>
  wide.length === narrow.length &&
  wide.every((part, n) => part === narrow[n] || (part.startsWith(':') && narrow[n] !== ''))
