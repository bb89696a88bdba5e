import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig, type Config } from '#api/platform/config/config.ts'
import { contentFolder } from '#api/platform/site-content/content-folder.ts'
import type { Database } from '#api/platform/db/database.ts'
import type { FileStore } from '#api/platform/files/file-store.ts'
import { openStore } from '#api/platform/files/open-store.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { runWithDatabase } from './reach-database.ts'

type Needed = { db: Database; files: FileStore; config: Config }

/**
 * Runs a command on a content folder, with or without a running program: `content` of this copy, or the given folder.
 */
export const runOnContent = (
  usage: string,
  work: (needed: Needed, folder: string) => Promise<string>,
): Promise<void> =>
  // The database notifies a running program, so writing also uses that program's database server.
  runWithDatabase('read', async (db) => {
    const [given, ...rest] = process.argv.slice(2)
    const folder = given === undefined ? contentFolder : resolve(given)
    if (rest.length > 0 || !existsSync(join(folder, 'brand.json')))
      throw new StartRefused(`Name one folder that contains a brand.json, or none. Usage: ${usage}.`)
    const config = readConfig(process.env)
    console.log(await work({ db, files: openStore(config), config }, folder))
  })
