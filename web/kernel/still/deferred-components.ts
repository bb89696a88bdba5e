/**
 * Static components. The first page contains their HTML, so their script is loaded only when something has to be
 * rendered again: on the next page, or in another language.
 */
export type DeferredComponents<All> = {
  load: () => Promise<void>
  /** Undefined until they are loaded. */
  now: () => All | undefined
}

/** Modules of static components are named `…-parts.ts`. Their styles are sent with the document. */
export function deferComponents<All>(ask: () => Promise<{ default: All }>): DeferredComponents<All> {
  let all: All | undefined
  return {
    load: async () => {
      all ??= (await ask()).default
    },
    now: () => all,
  }
}
