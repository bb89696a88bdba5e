import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates an empty directory for the test. Other users can traverse it, because under root the embedded server runs as
 * another user.
 */
export async function makeTemporary(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `${name}-`))
  await chmod(directory, 0o711)
  return directory
}

export const removeTemporary = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true })
