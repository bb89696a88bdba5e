import { isIP } from 'node:net'
import { checkServerIdentity, connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { HealthCheck } from '#contract/console/console-health.ts'
import { checked, type Examined } from '../check.ts'
import type { Outside } from './outside.ts'

const patience = 10 * SECOND
/** Authorities renew certificates thirty days before expiry, so the new one should exist by now. */
const daysMin = 21

/** The certificate at PUBLIC_URL and the TLS versions. */
export async function checkTls({ config }: Examined, { now, ca }: Outside): Promise<HealthCheck> {
  const { protocol, hostname, port } = config.publicUrl
  if (protocol !== 'https:') return checked('tls', { facts: {}, isUnchecked: true })
  const host = hostname.replace(/^\[|\]$/g, '')
  const way = { host, port: Number(port || 443), ...(ca && { ca }) }
  const found = await shake(way, (socket) => ({
    error: socket.authorizationError as unknown as string | { code?: string } | null,
    certificate: socket.getPeerCertificate(),
    protocol: socket.getProtocol(),
  })).catch((error: { code?: string }) => error.code ?? 'unknown')
  if (typeof found === 'string') return checked('tls', { facts: { why: found }, isUnchecked: true })
  const { certificate } = found
  const error = (typeof found.error === 'string' ? found.error : found.error?.code) ?? undefined
  const ends = new Date(certificate.valid_to)
  const daysLeft = Math.floor((ends.getTime() - now().getTime()) / DAY)
  const isExpired = error === 'CERT_HAS_EXPIRED' || daysLeft < 0
  const isOfOther = checkServerIdentity(host, certificate) !== undefined
  const isOld = await shake(
    { ...way, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    () => true,
  ).catch(() => false)
  const issuer = [certificate.issuer?.O ?? certificate.issuer?.CN].flat()[0]
  return checked('tls', {
    facts: { protocol: found.protocol, issuer, expires: ends, daysLeft: Math.max(0, daysLeft) },
    problems: {
      tls_untrusted:
        error !== undefined && !['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'].includes(error),
      tls_name: isOfOther,
      tls_expired: isExpired,
      tls_expires: !isExpired && daysLeft < daysMin,
      tls_old: isOld,
    },
  })
}

/** Connects despite certificate errors, because they are reported. */
function shake<T>(way: ConnectionOptions & { host: string }, read: (socket: TLSSocket) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...way,
      // An IP address can't be a server name (RFC 6066, 3).
      servername: isIP(way.host) === 0 ? way.host : '',
      rejectUnauthorized: false,
      timeout: patience,
    })
    socket.once('secureConnect', () => {
      resolve(read(socket))
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })))
    socket.once('error', reject)
  })
}
