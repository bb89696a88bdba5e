import { join, resolve } from 'node:path'
import { checkContent as check } from '#api/publishing/content/rules/check-content.ts'
import { readGiven } from '#api/publishing/content/rules/read-given.ts'
import { problemMessage } from '#api/publishing/content/rules/say-problem.ts'

/** Returns every problem with the content of the repository at `root` as `file: place: reason`. */
export function checkContent(root: string): string[] {
  const { given, found } = readGiven(join(root, 'content'))
  const unreadable = new Set(found.filter(({ code }) => code === 'not_json').map(({ file }) => file))
  const all = [
    ...found,
    // Reports invalid JSON only once, not as a missing file as well.
    ...check(given).filter(({ file, code }) => !(code === 'missing' && unreadable.has(file))),
  ]
  return all.map(problemMessage).map(({ file, place, words }) => `content/${file}: ${place}: ${words.en}`)
}

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) {
  const problems = checkContent(resolve(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
