import { StartRefused } from '../start-refused.ts'
import { hostsOf } from '../database-address.ts'
import { isOutage } from './database.ts'

const unknownAuthority =
  'is signed by an authority that this machine does not know: name the file of that authority by sslrootcert=… (its provider publishes it)'

/** What is wrong with the certificate of the other side, by the code of OpenSSL or of Node. */
const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself: name its own file by sslrootcert=…',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is of another host: use the name that stands in the certificate, or sslmode=verify-ca where only the authority counts',
  CERT_HAS_EXPIRED: 'has expired: renew it on the server, or look at the clock of this machine',
  CERT_NOT_YET_VALID: 'is not valid yet: look at the clocks of the server and of this machine',
  CERT_REVOKED: 'was revoked: renew it on the server',
}

/** One sentence, without the password, on why an address of a database cannot be used; nothing where the reason is another one. */
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
    return `cannot be trusted, because its certificate ${certificate}; see sslmode in DATABASE_URL`
  if (/does not support SSL/.test(message))
    return 'speaks no TLS: turn ssl on there, or take sslmode out of DATABASE_URL if nobody can listen in between'
  if (code === '28000' && /no encryption|SSL off/.test(message))
    return 'is used with TLS only: add sslmode=require to DATABASE_URL'
  if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code.startsWith('ERR_OSSL'))
    return `and this machine agree on no TLS (${code}): look at sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL`
  if (code.startsWith('28') || code === '3D000')
    return 'refuses the user, password or database name of DATABASE_URL'
  // As poolers say it.
  if (/no such database|no such user|password authentication failed|SASL authentication failed/.test(message))
    return 'refuses the user, password or database name of DATABASE_URL'
  if (code === '53300')
    return 'has no connection left (53300): raise max_connections, or lower DATABASE_POOL_SIZE'
  if (code === '57P03')
    return 'takes no writes now (57P03): none of its hosts is the primary; see DATABASE_URL'
  if (isOutage(error)) return `cannot be reached (${code || 'no answer'}); check DATABASE_URL`
  return undefined
}
