import { exportContent } from '#api/publishing/content/editing/command/export-content.ts'
import { commandLine } from '#api/platform/command-line.ts'
import { runOnContent } from './run-on-content.ts'

await runOnContent(commandLine('content:export', '[FOLDER]'), async (needed, folder) => {
  const written = await exportContent(needed, folder)
  return written.length > 0
    ? [`Written to ${folder}:`, ...written.map((name) => `  ${name}`)].join('\n')
    : `All published content is already in ${folder}.`
})
