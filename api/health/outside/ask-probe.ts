import { randomBytes } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { SECOND } from '#contract/durations.ts'
import { answeredBy, askedBy, probeHeader, probePath, type ProbeAnswer } from '../probe.ts'
import type { Examined } from '../check.ts'

const patience = 10 * SECOND

export type Probed = {
  /** `undefined` where what answers is not this installation. */
  answer: ProbeAnswer | undefined
  /** The clock of what answers. */
  date: Date | undefined
  /** The address that this process had on the way there. */
  localAddress: string | undefined
}

/** Asks PUBLIC_URL who it is. Certificates are another check, so any will do here. Throws where nothing answers. */
export async function askProbe(
  { config, keys }: Pick<Examined, 'config' | 'keys'>,
  headers: Record<string, string> = {},
): Promise<Probed> {
  const nonce = randomBytes(18).toString('base64url')
  const url = new URL(probePath, config.publicUrl)
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const asked = begin(
      url,
      {
        headers: { [probeHeader]: askedBy(keys, nonce), accept: 'application/json', ...headers },
        rejectUnauthorized: false,
        agent: false,
        timeout: patience,
      },
      (response) => {
        const { localAddress } = response.socket
        // A proxy that finds no program behind it.
        const { statusCode = 0 } = response
        if (statusCode >= 502 && statusCode <= 504) {
          response.resume()
          return reject(Object.assign(new Error('away'), { code: `HTTP_${statusCode}` }))
        }
        const date = new Date(response.headers.date ?? NaN)
        text(response).then((body) => {
          const found = statusCode === 200 ? parse(body) : undefined
          resolve({
            answer: found?.answer === answeredBy(keys, nonce) ? found : undefined,
            date: Number.isNaN(date.getTime()) ? undefined : date,
            localAddress,
          })
        }, reject)
      },
    )
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })))
    asked.on('error', reject)
    asked.end()
  })
}

function parse(body: string): ProbeAnswer | undefined {
  try {
    return JSON.parse(body) as ProbeAnswer
  } catch {
    return undefined
  }
}
