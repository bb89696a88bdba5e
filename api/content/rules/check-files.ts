import { completeLanguages } from '#contract/languages.ts'
import type { Facts } from './check-content.ts'
import type { GivenContent } from './read-given.ts'
import type { Found } from './problem.ts'

/** The files of a film that pages load: both codecs, stills, and captions where needed. */
const filmEndings = {
  all: ['.mp4', '.av1.mp4', '.jpg', '.avif'],
  hero: ['-narrow.jpg', '-narrow.avif'],
  story: ['-640.avif', ...completeLanguages.map((language) => `-${language}.vtt`)],
}

/** Files that entries name. PDFs and films are made by scripts, so they are required only once some exist. */
export function checkFiles(given: GivenContent, facts: Facts): Found[] {
  return [...checkDocuments(given, facts), ...checkFilms(given, facts), ...checkPeople(given, facts)]
}

const noFile = (file: string, place: string, name: string): Found => ({
  file,
  place,
  code: 'no_file',
  values: { name },
})

function checkDocuments(given: GivenContent, facts: Facts): Found[] {
  const found: Found[] = []
  const pdfs = given.names('media/pdfs')
  const needPdf = (file: string, place: string, pdf: string) => {
    if (pdfs.length > 0 && !pdfs.includes(pdf)) found.push(noFile(file, place, `media/pdfs/${pdf}`))
  }
  const { others = [], ...offered } = facts['brand.json']?.documents ?? {}
  for (const [id, base] of Object.entries(offered))
    for (const language of completeLanguages)
      needPdf('brand.json', ['documents', id].join('.'), `${base}-${language}.pdf`)
  // Where there is no Chinese edition, the English one is offered and says so.
  for (const [at, base] of others.entries())
    needPdf('brand.json', ['documents', 'others', at].join('.'), `${base}-en.pdf`)
  for (const { id, fileTitle, hasChinese } of facts['facts/manuals.json'] ?? []) {
    const file = 'facts/manuals.json'
    needPdf(file, `${id}.fileTitle`, `${fileTitle}-en.pdf`)
    const chinese = `${fileTitle}-cn.pdf`
    if (hasChinese) needPdf(file, `${id}.fileTitle`, chinese)
    else if (pdfs.includes(chinese))
      found.push({
        file,
        place: `${id}.hasChinese`,
        code: 'never_offered',
        values: { name: `media/pdfs/${chinese}` },
      })
  }
  return found
}

function checkFilms(given: GivenContent, facts: Facts): Found[] {
  const films = given.names('media/films')
  if (films.length === 0) return []
  return (facts['facts/films.json'] ?? []).flatMap(({ id, place, file }) =>
    [...filmEndings.all, ...filmEndings[place === 'hero' ? 'hero' : 'story']]
      .filter((ending) => !films.includes(file + ending))
      .map((ending) => noFile('facts/films.json', `${id}.file`, `media/films/${file}${ending}`)),
  )
}

function checkPeople(given: GivenContent, facts: Facts): Found[] {
  const pictures = given.names('media/people')
  const team = (facts['facts/team.json'] ?? []).flatMap(({ members }) => members)
  const people = {
    'facts/team.json': team,
    'facts/ambassadors.json': facts['facts/ambassadors.json'] ?? [],
    'facts/partners.json': facts['facts/partners.json'] ?? [],
  }
  return Object.entries(people).flatMap(([file, entries]) =>
    entries
      .filter(({ photo }) => photo !== undefined && !pictures.includes(photo))
      .map(({ id, photo }) => noFile(file, `${id}.photo`, `media/people/${photo}`)),
  )
}
