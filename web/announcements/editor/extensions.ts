import type { Extensions } from '@tiptap/core'
import { Subscript } from '@tiptap/extension-subscript'
import { Superscript } from '@tiptap/extension-superscript'
import { StarterKit } from '@tiptap/starter-kit'
import { BlockStyle, TextStyle } from './formats.ts'
import { Film, Picture } from './media.ts'

/** Every format that a post can have. The editor drops everything else, and the server's allowlist must match. */
export const extensions: Extensions = [
  StarterKit.configure({
    horizontalRule: false,
    trailingNode: false,
    codeBlock: { languageClassPrefix: 'ql-', defaultLanguage: null },
    link: {
      openOnClick: false,
      autolink: false,
      linkOnPaste: true,
      protocols: ['http', 'https', 'mailto'],
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: '_blank' },
    },
  }),
  Subscript,
  Superscript,
  TextStyle,
  BlockStyle,
  Picture,
  Film,
]
