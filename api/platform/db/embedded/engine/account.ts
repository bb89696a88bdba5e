import { lstatSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'

export type Account = { name: string; uid: number; gid: number }

export const isRoot = (): boolean => process.getuid?.() === 0

/** Options of `spawn` to run a program as the account; null means the current one. */
export function asAccount(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

/**
 * The account that runs PostgreSQL; null means that of this process. PostgreSQL refuses root, so for root it is
 * the owner of the existing data if there is any, else `postgres`, else `nobody`.
 */
export function serverAccount(dataDirectory: string): Account | null {
  if (!isRoot()) {
    refuseNamelessAccount()
    return null
  }
  const accounts = listAccounts()
  const owner = lstatSync(dataDirectory, { throwIfNoEntry: false })?.uid
  const account =
    accounts.find((each) => each.uid === owner && each.uid !== 0) ??
    accounts.find((each) => each.name === 'postgres' && each.uid !== 0) ??
    accounts.find((each) => each.name === 'nobody' && each.uid !== 0)
  if (account) return account
  throw new StartRefused(
    'PostgreSQL can’t run as root, and there is no user named postgres or nobody. Start as a non-root user, or set DATABASE_URL.',
  )
}

/** The first folder on the path to `directory`, inclusive, that the account can't traverse, or null. */
export function closedFolderOnTheWay(directory: string, account: Account): string | null {
  const parent = dirname(directory)
  const closedAbove = parent === directory ? null : closedFolderOnTheWay(parent, account)
  if (closedAbove !== null) return closedAbove
  const found = statSync(directory, { throwIfNoEntry: false })
  if (!found) return null
  const searchBit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001
  return found.mode & searchBit ? null : directory
}

/** PostgreSQL looks up its own user and fails for an ID without an entry, which is common in containers. */
function refuseNamelessAccount(): void {
  try {
    userInfo()
  } catch {
    throw new StartRefused(
      `The user ID ${process.getuid?.()} has no entry in /etc/passwd, which the embedded PostgreSQL needs. Add one, start as another user, or set DATABASE_URL.`,
    )
  }
}

function listAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
