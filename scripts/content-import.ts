import { importContent } from '#api/publishing/content/editing/command/import-content.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { readOrMakeMasterKey } from '#api/platform/master-key/key-file.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runOnContent } from './run-on-content.ts'

await runOnContent(commandLine('content:import', '[FOLDER]'), async (needed, folder) => {
  const { encryptionKey, dataDir } = needed.config
  const keys = makeKeys(encryptionKey ?? readOrMakeMasterKey(dataDir))
  const pieces = await importContent({ ...needed, keys }, folder)
  return pieces.length > 0
    ? ['Published from files:', ...pieces.map((piece) => `  ${piece}`)].join('\n')
    : `Nothing in ${folder} differs from what is published.`
})
