import { StartRefused } from '../start-refused.ts'
import { hostsOf } from '../config/database-address.ts'
import { isOutage } from './database.ts'

const unknownAuthority =
  'is signed by an unknown authority: set sslrootcert=… to the authority’s certificate file (available from your provider)'

/** Certificate problems by the code of OpenSSL or Node. */
const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed: set sslrootcert=… to its file',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for another host: use the host name in the certificate, or sslmode=verify-ca to check only the authority',
  CERT_HAS_EXPIRED: 'has expired: renew it on the server, or check this machine’s clock',
  CERT_NOT_YET_VALID: 'isn’t valid yet: check the clocks of the server and this machine',
  CERT_REVOKED: 'was revoked: renew it on the server',
}

/** One sentence, without the password, on why a database address cannot be used; undefined for other errors. */
export function refusalOfConnection(url: string, error: unknown): StartRefused | undefined {
  if (error instanceof StartRefused) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const reason = reasonOf(code, message, error)
  return reason === undefined
    ? undefined
    : new StartRefused(`The database at ${hostsOf(url)} ${reason}.`, { cause: error })
}

function reasonOf(code: string, message: string, error: unknown): string | undefined {
  const certificate = certificates[code]
  if (certificate)
    return `can’t be trusted because its certificate ${certificate}; see sslmode in DATABASE_URL`
  if (/does not support SSL/.test(message))
    return 'doesn’t support TLS: turn on ssl there, or remove sslmode from DATABASE_URL if the network is private'
  if (code === '28000' && /no encryption|SSL off/.test(message))
    return 'requires TLS: add sslmode=require to DATABASE_URL'
  if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code.startsWith('ERR_OSSL'))
    return `couldn’t establish a TLS connection (${code}): check sslmode, sslrootcert, sslcert, and sslkey in DATABASE_URL`
  if (code.startsWith('28') || code === '3D000')
    return 'rejects the user, password, or database name in DATABASE_URL'
  // Messages of poolers.
  if (/no such database|no such user|password authentication failed|SASL authentication failed/.test(message))
    return 'rejects the user, password, or database name in DATABASE_URL'
  if (code === '53300')
    return 'has no connections left (53300): increase max_connections, or reduce DATABASE_POOL_SIZE'
  if (code === '57P03')
    return 'doesn’t accept writes (57P03): none of its hosts is the primary; check DATABASE_URL'
  if (isOutage(error)) return `can’t be reached (${code || 'no response'}); check DATABASE_URL`
  return undefined
}
