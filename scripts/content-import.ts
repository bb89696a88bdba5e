import { importContent } from '#api/content/editing/command/import-content.ts'
import { runOnContent } from './run-on-content.ts'

await runOnContent('npm run content:import [-- FOLDER]', async (needed, folder) => {
  const pieces = await importContent(needed, folder)
  return pieces.length > 0
    ? ['Published from files:', ...pieces.map((piece) => `  ${piece}`)].join('\n')
    : `Nothing in ${folder} differs from what is published.`
})
