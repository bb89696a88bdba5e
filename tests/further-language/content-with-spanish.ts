import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const content = join(import.meta.dirname, '../../content')

/** The folder with the content for the tests of this folder, instead of `content/`. */
export const folderWithSpanish = join(import.meta.dirname, '../../.cache/content-with-spanish')

type Json = Record<string, unknown>
const readJson = (file: string) => JSON.parse(readFileSync(join(content, file), 'utf8')) as Json

const writeJson = (file: string, value: unknown) => {
  mkdirSync(join(folderWithSpanish, file, '..'), { recursive: true })
  writeFileSync(join(folderWithSpanish, file), `${JSON.stringify(value, null, 2)}\n`)
}

export const spanish = {
  notice: 'Este sitio aún no está traducido del todo.',
  notFound: 'Aquí no hay nada.',
  englishLaw: 'Este texto no está traducido. Vale el texto inglés.',
  tagline: 'Una moneda de muestra',
  resetSubject: 'Su contraseña de {brand}',
}

/** Adds Spanish in the way a project would: one line, and a folder with the translations so far. */
export function makeContentWithSpanish(): void {
  rmSync(folderWithSpanish, { recursive: true, force: true })
  mkdirSync(folderWithSpanish, { recursive: true })
  for (const name of readdirSync(content))
    if (name === 'media') symlinkSync(join(content, name), join(folderWithSpanish, name))
    else cpSync(join(content, name), join(folderWithSpanish, name), { recursive: true })
  writeJson('languages.json', {
    ...readJson('languages.json'),
    es: { name: 'Español', tag: 'es', locale: 'es-ES', prefix: '/es' },
  })
  writeJson('messages/es/layout.json', {
    'layout.language.menu': 'Idioma',
    'layout.language.partial': spanish.notice,
    'layout.language.offer': 'Este sitio está disponible en español.',
    'layout.language.accept': 'Cambiar a español',
  })
  writeJson('messages/es/errors.json', { 'errors.not_found': spanish.notFound })
  writeJson('messages/es/legal.json', {
    'legal.terms.title': 'Condiciones de uso',
    'legal.untranslated': spanish.englishLaw,
  })
  const brand = readJson('brand.json')
  writeJson('brand.json', { ...brand, tagline: { ...(brand['tagline'] as Json), es: spanish.tagline } })
  const reset = readJson('emails/en.json')['password-reset'] as Json
  writeJson('emails/es.json', { 'password-reset': { ...reset, subject: spanish.resetSubject } })
}
