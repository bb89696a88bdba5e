/** The message files, by name; a page lists those it needs in `web/routes.ts`. */
type Files = {
  ambassador: typeof import('#content/messages/en/ambassador.json')
  errors: typeof import('#content/messages/en/errors.json')
  help: typeof import('#content/messages/en/help.json')
  home: typeof import('#content/messages/en/home.json')
  layout: typeof import('#content/messages/en/layout.json')
  legal: typeof import('#content/messages/en/legal.json')
  meta: typeof import('#content/messages/en/meta.json')
  placeholder: typeof import('#content/messages/en/placeholder.json')
  project: typeof import('#content/messages/en/project.json')
  video: typeof import('#content/messages/en/video.json')
}

export type Namespace = keyof Files

/** Every key of the English files: a key that does not exist does not compile. */
export type MessageKey = { [N in Namespace]: keyof Files[N]['default'] & string }[Namespace]

export type Messages = Readonly<Record<string, string>>
