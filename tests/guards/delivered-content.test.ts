import { expect, test } from 'vitest'
import { ownErrors } from '#web/kernel/sent-messages.ts'
import { sourcesIn, textOf } from './source-files.ts'

/* Text for visitors is delivered at runtime (`api/platform/site-content/site-content.ts`), so that editors can change it without a build.
   Only values that a build depends on are imported: name and ticker, the chain, the storage key, colors. */

const editable = [
  'tagline',
  'legalLine',
  'email',
  'phone',
  'address',
  'links',
  'social',
  'documents',
  'legal',
]

/** `importer -> content file`, each with its reason. */
const openings: Record<string, string> = {
  'web/kernel/forms/password/password-advice.tsx -> facts/common-passwords.json':
    'is no text: nobody reads it',
  'web/ambassadors/own/draw-share.ts -> colours.json': 'a picture is drawn in the colours that the build has',
  'web/machine-readable/theme-colors.ts -> colours.json':
    'style sheets and drawings of the build have these colours',
  'api/platform/http/docs.ts -> colours.json': 'the same',
  'api/platform/mail/mail-look.ts -> colours.json': 'the same',
  'api/publishing/pictures/drawn-picture.ts -> colours.json': 'the same',
  'api/publishing/pictures/mailed-picture.ts -> colours.json': 'the same',
  'serve/news-pictures/draw-post.ts -> colours.json': 'the same',
  'serve/news-pictures/make-share-picture.ts -> colours.json': 'the same',
  'api/platform/mail/render-mail.ts -> emails/en.json':
    'what the team changed of mails is laid over it (setMailTexts)',
  'api/people/kyc/expire-approvals.ts -> identity/en.json': 'a reason that goes into a mail',
  'api/money/orders/notify-owner.ts -> messages/en/console-orders.json':
    'the same: names of fields in a mail',
  'api/publishing/content/rules/say-problem.ts -> rules/cn.json':
    'tells editors which rule of this release they broke',
  'api/publishing/content/rules/say-problem.ts -> rules/en.json': 'the same',
  'api/people/privacy/archive-words.ts -> privacy/en.json':
    'explains the export to its member, as this release makes it',
}

const partsOnPurpose: Record<string, string> = {
  'api/platform/mail/render-mail.ts address': 'until the content is there',
  'api/platform/text/fill.ts email': 'until the content is there',
}

const sources = ['web', 'api', 'serve'].flatMap(sourcesIn)

/** Returns each value import of a content file: its local name and the file. Samples are for the demo. */
const importsIn = (path: string) =>
  [...textOf(path).matchAll(/^import (?!type)(.+?) from '#content\/(?!samples\/)(.+?)'/gm)].map(
    ([, names = '', file = '']) => ({ names, file }),
  )

test('words, facts and what the team edits of the brand are in no build', () => {
  const found = sources.flatMap((path) =>
    importsIn(path)
      .filter(({ file }) => file !== 'brand.json')
      .map(({ file }) => `${path} -> ${file}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(openings).toSorted())
  const parts = sources.flatMap((path) =>
    importsIn(path)
      .filter(({ file }) => file === 'brand.json')
      .flatMap(({ names }) =>
        editable.filter((part) =>
          names.startsWith('{')
            ? new RegExp(`\\b${part}\\b`).test(names)
            : new RegExp(`\\b${names}\\.${part}\\b`).test(textOf(path)),
        ),
      )
      .map((part) => `${path} ${part}`),
  )
  expect(parts).toEqual(Object.keys(partsOnPurpose))
})

test('what a page says of refusals by itself comes with it', () => {
  const parts = sourcesIn('web').filter(
    (path) => !/^web\/(kernel\/i18n|console)\//.test(path) && path !== 'web/kernel/sent-messages.ts',
  )
  const said = parts.flatMap((path) =>
    [...textOf(path).matchAll(/'(errors\.\w+)'|refusalWords\.(\w+)/g)].map(
      ([, key, code]) => key ?? `errors.${code}`,
    ),
  )
  expect(said.length).toBeGreaterThan(5)
  expect(said.filter((key) => !ownErrors.has(key))).toEqual([])
})
