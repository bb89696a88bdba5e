import { PackRefused } from '../identify-release.ts'

const headingOf = (name: string) => new RegExp(`^## \\[?${name.replaceAll('.', '\\.')}\\]?(?: .*)?$`, 'm')

function sectionOf(text: string, name: string): string | undefined {
  const heading = headingOf(name).exec(text)
  if (!heading) return undefined
  const rest = text.slice(heading.index + heading[0].length)
  return rest.split(/^## /m)[0]
}

/** Whether the section has a heading about upgrading with text below it. */
const hasUpgradeNotes = (section: string): boolean =>
  section.split(/^### /m).some((part) => {
    const [heading = '', ...lines] = part.split('\n')
    return /\bupgrad/i.test(heading) && lines.join('').trim() !== ''
  })

/**
 * Returns the change log with a section for the version: the existing one, or *Unreleased* under the version's name.
 * Refuses a section without upgrade notes.
 */
export function releaseChangeLog(text: string, version: string, date: string): string {
  const hasVersion = sectionOf(text, version) !== undefined
  const section = sectionOf(text, hasVersion ? version : 'Unreleased')
  if (section === undefined)
    throw new PackRefused(
      `CHANGELOG.md has no section for ${version}. Describe the changes below the heading “## [Unreleased]”, commit, and try again.`,
    )
  if (!hasUpgradeNotes(section))
    throw new PackRefused(
      `CHANGELOG.md has no upgrade notes for ${version}. Add a heading such as “### Before you upgrade”, and below it say what operators must do, or that there is nothing to do. Commit, and try again.`,
    )
  return hasVersion ? text : text.replace(headingOf('Unreleased'), `## [${version}] - ${date}`)
}
